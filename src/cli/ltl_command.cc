#include <fmt/format.h>

#include "base/text/printable.h"
#include "check/facts/verdict.h"
#include "cli/commands.h"
#include "cli/session/output.h"
#include "ltl/automaton/dot.h"
#include "ltl/automaton/translate.h"
#include "ltl/exchange/hoa.h"
#include "ltl/exchange/never_claim.h"
#include "ltl/formula/simplify.h"
#include "ltl/reading/parse.h"

namespace spillway {
namespace {

std::string how_many(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string_view meaning(ltl::Strength strength) {
  switch (strength) {
    case ltl::Strength::terminal:
      return "terminal: a word is accepted as soon as an accepting state is reached";
    case ltl::Strength::weak: return "weak: in each component all cycles accept, or none does";
    case ltl::Strength::strong: return "strong: some component has cycles of both kinds";
  }
  return "";
}

std::string summary(const ltl::Formula& formula, const std::vector<std::string>& names,
                    const ltl::Automaton& automaton) {
  std::size_t transitions = 0;
  for (const auto& out : automaton.transitions) transitions += out.size();
  std::string propositions;
  for (const std::string& name : names)
    propositions += fmt::format("{}{}", propositions.empty() ? "" : ", ", printable(name));
  std::string result = fmt::format("formula       {}\n", printable(text(formula, names)));
  result += fmt::format("simplified    {}\n", printable(text(simplified(formula), names)));
  result += fmt::format("propositions  {}\n", propositions.empty() ? "none" : propositions);
  result +=
      fmt::format("automaton     {}, {}, {}\n", how_many(automaton.states(), "state"),
                  how_many(transitions, "transition"), how_many(automaton.sets, "acceptance set"));
  return result + fmt::format("strength      {}\n", meaning(strength(automaton)));
}

std::string translated(const CommandSettings& settings) {
  const ltl::ParsedFormula parsed = ltl::parse("FORMULA", settings.subject, {});
  const ltl::Formula formula = settings.ltl.negated ? !parsed.formula : parsed.formula;
  const std::vector<std::string> names = parsed.names();
  const ltl::Automaton automaton = ltl::translate(formula, names);
  const std::string name = text(formula, names);
  switch (settings.ltl.form) {
    case AutomatonForm::summary: return summary(formula, names, automaton);
    case AutomatonForm::hoa: return ltl::hoa(automaton, name);
    case AutomatonForm::dot: return ltl::dot(automaton, name);
    case AutomatonForm::spin: return ltl::never_claim(automaton, name);
  }
  return "";
}

}  // namespace

int run_ltl(const CommandSettings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no formula given; try: spillway ltl 'G (p -> F q)', or spillway ltl --help");
  try {
    say(stdout, translated(settings));
    return 0;
  } catch (const DiagnosedError& error) {
    say_errors(error);
    return static_cast<int>(exit_of(error.fault()));
  }
}

}  // namespace spillway
