#include "open/run_properties.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/lines.h"
#include "base/text/printable.h"
#include "base/text/quoted_names.h"
#include "base/text/read_file.h"
#include "language/table/table.h"
#include "ltl/automaton/tight.h"
#include "ltl/automaton/translate.h"
#include "ltl/exchange/hoa.h"
#include "ltl/formula/evaluate.h"
#include "ltl/reading/parse_ctl.h"

namespace spillway {
namespace {

constexpr std::string_view kOption = "--ltl";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of a file; a device may have no end

std::string text_of(const std::string& path) {
  return std::string(without_byte_order_mark(read_file(path, kMostBytes)));
}

// An automaton over other propositions: number i becomes numbers[i].
ltl::Automaton renumbered(ltl::Automaton automaton, const std::vector<std::size_t>& numbers) {
  const auto moved = [&](Letter letter) {
    Letter all = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if ((letter >> i & 1) != 0) all |= Letter{1} << numbers[i];
    return all;
  };
  for (auto& transitions : automaton.transitions)
    for (ltl::Transition& transition : transitions)
      transition.label = {moved(transition.label.positive), moved(transition.label.negative)};
  return automaton;
}

// For formulas without temporal operators.
bool is_satisfied(const ltl::Formula& formula, Letter letter) {
  using ltl::Operator;
  const auto left = [&] { return is_satisfied(formula.left(), letter); };
  const auto right = [&] { return is_satisfied(formula.right(), letter); };
  switch (formula.op()) {
    case Operator::constant_true: return true;
    case Operator::constant_false: return false;
    case Operator::proposition: return (letter >> formula.proposition() & 1) != 0;
    case Operator::negation: return !left();
    case Operator::conjunction: return left() && right();
    case Operator::disjunction: return left() || right();
    case Operator::implication: return !left() || right();
    case Operator::equivalence: return left() == right();
    case Operator::exclusive_or: return left() != right();
    default: SPILLWAY_CHECK(false);
  }
  return false;
}

// A formula of a file as --ltl takes it.
std::string kept(const ltl::NamedFormula& named) {
  return named.has_name ? fmt::format("\"{}\": {}", named.name, named.text) : named.text;
}

}  // namespace

Letter RunProperties::Definition::letter(Letter of_all) const {
  Letter own = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) own |= (of_all >> numbers[i] & 1) << i;
  return own;
}

RunProperties::RunProperties(const RunOptions& options) : options_(options) {
  for (const auto& [name, expression] : options_.propositions) {
    if (std::ranges::find(bound_names_, name) != bound_names_.end())
      throw Error(Fault::usage, fmt::format("--prop: '{}' is given twice", printable(name)));
    if (is_constant(name))
      throw Error(Fault::usage,
                  fmt::format("--prop: '{}' is a constant in formulas and cannot be a name", name));
    bound_names_.push_back(name);
  }
  for (const std::string& text : options_.formulas)
    read_formulas(std::string(kOption), text, ltl::Lines::one_formula);
  for (const std::string& path : options_.formula_files)
    read_formulas(path, text_of(path), ltl::Lines::formulas);
  for (const std::string& path : options_.automata) read_automaton(path);
  for (const std::string& text : options_.ctl) read_ctl(text);
  if (!ctl_.empty() && !options_.fair.empty())
    throw Error(Fault::usage,
                "--fair: formulas of --ctl are about all runs; leave out one of both");
  if (!ctl_.empty() && options_.ends == RunEnds::ignore)
    throw Error(Fault::usage,
                "--ltl-ends: for formulas of --ctl a run that ends repeats its last state; leave "
                "out one of both");
  if (empty() && !options_.fair.empty())
    throw Error(Fault::usage, "--fair: there is no property of runs; use --ltl");
  if (empty() && !options_.propositions.empty())
    throw Error(Fault::usage, "--prop: there is no property of runs; use --ltl or --ctl");
}

std::optional<PropositionText> RunProperties::bound(const std::string& name) const {
  for (const auto& [known, expression] : options_.propositions)
    if (known == name) return PropositionText{expression, fmt::format("--prop {}", name)};
  return std::nullopt;
}

std::size_t RunProperties::number_of(PropositionText proposition) {
  for (std::size_t i = 0; i < propositions_.size(); ++i)
    if (propositions_[i].text == proposition.text) return i;
  if (propositions_.size() == kMostPropositions)
    throw Error(Fault::usage,
                fmt::format("there are more than {} different propositions; check fewer formulas "
                            "at a time",
                            kMostPropositions));
  propositions_.push_back(std::move(proposition));
  return propositions_.size() - 1;
}

std::size_t RunProperties::number_of(const ltl::Atom& atom, const std::string& origin,
                                     const std::string& text) {
  const PropositionText written{atom.text, origin, atom.position.line, atom.position.column, text};
  return number_of(bound(atom.text).value_or(written));
}

void RunProperties::need_new_name(const std::string& name) const {
  bool known = std::ranges::find(ctl_, name, &ltl::NamedCtl::name) != ctl_.end();
  for (const OneProperty& other : properties_) known = known || other.property.name == name;
  if (known)
    throw Error(Fault::usage,
                fmt::format("two properties of runs have the name '{}'", printable(name)));
}

void RunProperties::add(OneProperty property) {
  need_new_name(property.property.name);
  properties_.push_back(std::move(property));
}

void RunProperties::read_formulas(const std::string& origin, const std::string& text,
                                  ltl::Lines lines) {
  const std::vector<ltl::NamedFormula> all = ltl::read_formulas(origin, text, lines);
  if (all.empty())
    throw Error(Fault::usage, fmt::format("{}: there is no formula", printable(origin)));
  for (const ltl::NamedFormula& named : all) {
    const ltl::ParsedFormula parsed = ltl::parse(origin, text, named, bound_names_);
    Definition definition{parsed.formula, {}};
    for (const ltl::Atom& atom : parsed.atoms)
      definition.numbers.push_back(number_of(atom, origin, text));
    OneProperty one;
    one.property.name = named.name;
    std::optional<ltl::Automaton> automaton;
    if (options_.minimal) automaton = ltl::translate_tightly(!parsed.formula, parsed.names());
    one.is_tight = automaton.has_value();
    if (!automaton) automaton = ltl::translate(!parsed.formula, parsed.names());
    one.property.automaton = renumbered(*std::move(automaton), definition.numbers);
    one.property.is_violated_by = [definition](std::span<const Letter> letters,
                                               std::size_t loop_start) {
      std::vector<Letter> own;
      for (const Letter letter : letters) own.push_back(definition.letter(letter));
      return !ltl::holds(definition.formula, own, loop_start);
    };
    one.definition = std::move(definition);
    if (lines == ltl::Lines::formulas) formulas_of_files_.push_back(kept(named));
    add(std::move(one));
  }
}

void RunProperties::read_ctl(const std::string& text) {
  const std::string origin = "--ctl";
  const std::vector<ltl::NamedFormula> all =
      ltl::read_formulas(origin, text, ltl::Lines::one_formula);
  if (all.empty()) throw Error(Fault::usage, "--ctl: there is no formula");
  for (const ltl::NamedFormula& named : all) {
    need_new_name(named.name);
    const ltl::ParsedCtl parsed = ltl::parse_ctl(origin, text, named, bound_names_);
    std::vector<std::uint32_t> numbers;
    for (const ltl::Atom& atom : parsed.atoms)
      numbers.push_back(static_cast<std::uint32_t>(number_of(atom, origin, text)));
    ctl_.push_back({named.name, ltl::renumbered(parsed.formula, numbers)});
  }
}

void RunProperties::read_automaton(const std::string& path) {
  const std::string text = text_of(path);
  ltl::Automaton automaton = ltl::read_hoa(path, text);
  std::vector<std::size_t> numbers;
  for (const std::string& name : automaton.propositions)
    numbers.push_back(number_of(bound(name).value_or(PropositionText{name, path})));
  OneProperty one;
  one.property.name = path;
  one.property.automaton = renumbered(std::move(automaton), numbers);
  add(std::move(one));
}

std::optional<LetterInvariant> RunProperties::invariant(const Model& system) const {
  if (size() != 1 || !ctl_.empty() || !properties_[0].definition) return std::nullopt;
  if (options_.ends == RunEnds::ignore || system.composition().may_leave_out) return std::nullopt;
  const Definition& definition = *properties_[0].definition;
  const std::optional<ltl::Formula> state = ltl::is_invariant(definition.formula);
  if (!state) return std::nullopt;
  return LetterInvariant{name(0), [definition, state](Letter letter) {
                           return is_satisfied(*state, definition.letter(letter));
                         }};
}

FairActors RunProperties::fair_actors(const Description& system) const {
  std::size_t sets = 1;  // an automaton without sets gets one
  for (const OneProperty& one : properties_)
    sets = std::max<std::size_t>(sets, one.property.automaton.sets);
  return {system, options_.fair, kMostSets - sets,
          "systems in " + languages_with(&Language::Has::processes)};
}

std::unique_ptr<Model> RunProperties::product(std::size_t i, const Model& system,
                                              const FairActors& fair) const {
  return std::make_unique<ProductModel>(system, properties_[i].property, fair, options_.ends);
}

std::string RunProperties::semantics() const {
  std::string text = options_.ends == RunEnds::stutter
                         ? "a run that ends repeats its last state for ever"
                         : "a run that ends does not count";
  if (!options_.fair.empty())
    text += fmt::format("; runs are weakly fair to {}", quoted_names(options_.fair, '\''));
  return text;
}

}  // namespace spillway
