#include "ltl/exchange/hoa_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/printable.h"
#include "base/text/suggest.h"

namespace spillway::ltl {
namespace {

constexpr std::uint32_t kMostHoaStates = 1U << 20;
constexpr std::size_t kMostCases = 2000;    // of one label
constexpr std::uint32_t kMostNested = 500;  // operators and parentheses
constexpr std::size_t kMostHoaTransitions = 1U << 26;

std::string shown_token(const HoaToken& token) {
  if (token.kind == HoaKind::end) return "the end";
  return fmt::format("'{}{}'", printable(token.text), token.kind == HoaKind::header ? ":" : "");
}

}  // namespace

void HoaReader::refuse(const HoaToken& at, std::string message) {
  throw BadFormula{at.from, std::max(at.to, at.from + 1), std::move(message)};
}

HoaToken HoaReader::expect(HoaKind kind, std::string_view what) {
  if (now().kind != kind)
    refuse(now(), fmt::format("{} was expected here, and not {}", what, shown_token(now())));
  return take();
}

bool HoaReader::take_sign(std::string_view sign) {
  if (!now().is_sign(sign)) return false;
  take();
  return true;
}

void HoaReader::expect_sign(std::string_view sign) {
  if (!take_sign(sign))
    refuse(now(), fmt::format("'{}' was expected here, and not {}", sign, shown_token(now())));
}

Automaton HoaReader::read() {
  if (!now().is(HoaKind::header, "HOA")) refuse(now(), "an automaton begins with 'HOA: v1'");
  take();
  const HoaToken version = expect(HoaKind::word, "'v1'");
  if (version.text != "v1" && version.text != "v1.1")
    refuse(version, fmt::format("version {} of the format is not known, only v1 and v1.1",
                                printable(version.text)));
  read_headers();
  read_body();
  if (now().kind != HoaKind::end)
    refuse(now(), now().is(HoaKind::header, "HOA")
                      ? "there is a second automaton; put each into a file of its own"
                      : "nothing is expected after --END--");
  return std::move(automaton_);
}

void HoaReader::read_headers() {
  for (;;) {
    const HoaToken token = take();
    if (token.is(HoaKind::marker, "--BODY--")) return check_headers(token);
    if (token.is(HoaKind::marker, "--ABORT--"))
      refuse(token, "the tool that wrote this automaton gave up");
    if (token.kind != HoaKind::header)
      refuse(token,
             fmt::format("a header or --BODY-- was expected here, and not {}", shown_token(token)));
    read_header(token);
  }
}

void HoaReader::read_header(const HoaToken& header) {
  const std::string& name = header.text;
  const bool repeated = !seen_.insert(name).second;
  if (repeated && (name == "HOA" || name == "States" || name == "AP" || name == "Acceptance"))
    refuse(header, fmt::format("'{}:' occurs twice", name));
  if (name == "States") {
    const HoaToken count = expect(HoaKind::number, "the number of states");
    if (count.number > kMostHoaStates)
      refuse(count, fmt::format("more than {} states are not read", kMostHoaStates));
    states_ = count.number;
  } else if (name == "Start") {
    automaton_.initial.push_back(read_state_number());
  } else if (name == "AP") {
    read_propositions(header);
  } else if (name == "Alias") {
    read_alias();
  } else if (name == "Acceptance") {
    read_acceptance();
  } else if (name[0] >= 'A' && name[0] <= 'Z') {
    // By the format's own rule, such a header may change what the automaton means.
    constexpr std::string_view kKnown[] = {"States", "Start", "AP", "Alias", "Acceptance"};
    const auto close = nearest(name, kKnown);
    refuse(header, fmt::format("the header '{}:' is not known{}", printable(name),
                               close ? fmt::format("; did you mean '{}:'?", *close) : ""));
  } else {
    skip_values();
  }
}

void HoaReader::skip_values() {
  while (now().kind != HoaKind::header && now().kind != HoaKind::marker &&
         now().kind != HoaKind::end)
    take();
}

void HoaReader::read_propositions(const HoaToken& header) {
  const HoaToken count = expect(HoaKind::number, "the number of propositions");
  while (now().kind == HoaKind::string) {
    const HoaToken name = take();
    if (std::ranges::find(automaton_.propositions, name.text) != automaton_.propositions.end())
      refuse(name, fmt::format("the proposition '{}' occurs twice", printable(name.text)));
    automaton_.propositions.push_back(name.text);
  }
  if (count.number > kMostPropositions)
    refuse(count, fmt::format("more than {} propositions are not read", kMostPropositions));
  if (automaton_.propositions.size() != count.number)
    refuse(header, fmt::format("{} propositions are announced, and {} are named", count.number,
                               automaton_.propositions.size()));
}

void HoaReader::read_alias() {
  const HoaToken name = expect(HoaKind::alias, "a name that begins with @");
  const Expressions::Id id = expression(false);
  if (!aliases_.emplace(name.text, id).second)
    refuse(name, fmt::format("the alias '@{}' occurs twice", printable(name.text)));
}

// Turns the condition into sets that must all be met, each by transitions with one of some marks.
void HoaReader::read_acceptance() {
  const HoaToken count = expect(HoaKind::number, "the number of acceptance sets");
  if (count.number > kMostSets)
    refuse(count, fmt::format("more than {} acceptance sets are not read", kMostSets));
  marks_ = count.number;
  const HoaToken first = now();
  const Expressions::Id condition = expression(true);
  const auto excluded = expressions_.cases(condition, true, kMostSets);
  if (!excluded)
    refuse(first, fmt::format("this condition needs more than {} acceptance sets", kMostSets));
  for (const Label& one : *excluded) {
    AnyMark set;
    for (std::size_t i = 0; i < terms_.size(); ++i)
      if (((one.negative >> i) & 1) != 0)
        (terms_[i].second ? set.absent : set.present) |= SetMask{1} << terms_[i].first;
    sets_.push_back(set);
  }
  automaton_.sets = static_cast<unsigned>(sets_.size());
}

void HoaReader::check_headers(const HoaToken& body) {
  if (!seen_.contains("Acceptance")) refuse(body, "the header 'Acceptance:' is missing");
  seen_.insert("AP");
  if (largest_.kind == HoaKind::number && largest_.number >= automaton_.propositions.size())
    refuse(largest_, fmt::format("there is no proposition {}; they are numbered from 0, and there "
                                 "are {}",
                                 largest_.number, automaton_.propositions.size()));
  for (const std::uint32_t state : automaton_.initial)
    if (states_ && state >= *states_)
      refuse(body,
             fmt::format("the automaton starts in state {}, and has {} states", state, *states_));
  std::ranges::sort(automaton_.initial);
  automaton_.initial.erase(std::unique(automaton_.initial.begin(), automaton_.initial.end()),
                           automaton_.initial.end());
  automaton_.transitions.resize(states_.value_or(0));
}

Expressions::Id HoaReader::expression(bool is_acceptance, std::uint32_t depth) {
  if (depth > kMostNested)
    refuse(now(), fmt::format("parentheses are nested more than {} deep", kMostNested));
  Expressions::Id left = conjunction(is_acceptance, depth);
  while (take_sign("|")) left = expressions_.any(left, conjunction(is_acceptance, depth));
  if (expressions_.depth(left) > 4 * kMostNested)
    refuse(now(), fmt::format("there are more than {} operators in a row", 4 * kMostNested));
  return left;
}

Expressions::Id HoaReader::conjunction(bool is_acceptance, std::uint32_t depth) {
  Expressions::Id left = operand(is_acceptance, depth);
  while (take_sign("&")) left = expressions_.all(left, operand(is_acceptance, depth));
  return left;
}

Expressions::Id HoaReader::operand(bool is_acceptance, std::uint32_t depth) {
  if (!is_acceptance && now().is_sign("!")) {
    bool negated = false;
    while (take_sign("!")) negated = !negated;
    const Expressions::Id inner = operand(is_acceptance, depth + 1);
    return negated ? expressions_.negation(inner) : inner;
  }
  if (take_sign("(")) {
    const Expressions::Id inner = expression(is_acceptance, depth + 1);
    expect_sign(")");
    return inner;
  }
  if (now().is(HoaKind::word, "t") || now().is(HoaKind::word, "f"))
    return expressions_.constant(take().text == "t");
  return is_acceptance ? acceptance_atom() : label_atom();
}

Expressions::Id HoaReader::label_atom() {
  const HoaToken token = take();
  if (token.kind == HoaKind::alias) {
    const auto found = aliases_.find(token.text);
    if (found == aliases_.end())
      refuse(token, fmt::format("there is no alias '@{}'", printable(token.text)));
    return found->second;
  }
  if (token.kind != HoaKind::number)
    refuse(token, fmt::format("a proposition was expected here, and not {}", shown_token(token)));
  // AP: may come after Alias:; then check_headers() looks at what the aliases mention.
  const std::size_t count =
      seen_.contains("AP") ? automaton_.propositions.size() : kMostPropositions;
  if (token.number >= largest_.number) largest_ = token;
  if (token.number >= count)
    refuse(token,
           fmt::format("there is no proposition {}; they are numbered from 0, and there are {}",
                       token.number, count));
  return expressions_.variable(token.number);
}

Expressions::Id HoaReader::acceptance_atom() {
  const HoaToken token = take();
  if (token.is(HoaKind::word, "Fin"))
    refuse(token,
           "conditions with Fin are not supported: give an automaton with Buchi or generalized "
           "Buchi acceptance (autfilt --tgba makes one)");
  if (!token.is(HoaKind::word, "Inf"))
    refuse(token, fmt::format("Inf was expected here, and not {}", shown_token(token)));
  expect_sign("(");
  const bool absent = take_sign("!");
  const HoaToken set = expect(HoaKind::number, "the number of a set");
  if (set.number >= marks_)
    refuse(set, fmt::format("there is no set {}; they are numbered from 0, and there are {}",
                            set.number, marks_));
  expect_sign(")");
  const std::pair term(set.number, absent);
  const auto known = std::ranges::find(terms_, term);
  const auto index = static_cast<std::uint32_t>(known - terms_.begin());
  if (known == terms_.end()) terms_.push_back(term);
  if (index >= kMostSets) refuse(set, "this condition has too many different terms");
  return expressions_.variable(index);
}

void HoaReader::read_body() {
  while (now().is(HoaKind::header, "State")) read_state();
  const HoaToken end = take();
  if (end.is(HoaKind::marker, "--ABORT--"))
    refuse(end, "the tool that wrote this automaton gave up");
  if (!end.is(HoaKind::marker, "--END--"))
    refuse(end, fmt::format("State: or --END-- was expected here, and not {}", shown_token(end)));
  std::size_t states = automaton_.transitions.size();
  for (const std::uint32_t state : automaton_.initial)
    states = std::max<std::size_t>(states, state + 1);
  if (automaton_.initial.empty()) {  // accepts nothing
    automaton_.initial = {static_cast<std::uint32_t>(states)};
    ++states;
  }
  automaton_.transitions.resize(states);
}

void HoaReader::read_state() {
  const HoaToken header = take();
  std::optional<Labels> label;
  if (now().is_sign("[")) label = read_label();
  const HoaToken number = now();
  const std::uint32_t state = read_state_number();
  if (automaton_.transitions.size() <= state) automaton_.transitions.resize(state + 1);
  defined_.resize(std::max<std::size_t>(defined_.size(), state + 1));
  if (defined_[state]) refuse(number, fmt::format("state {} is described twice", state));
  defined_[state] = true;
  if (now().kind == HoaKind::string) take();
  const SetMask marks = read_marks();
  implicit_ = 0;
  while (now().kind == HoaKind::number || now().is_sign("[")) read_edge(state, label, marks);
  check_implicit(header);
}

void HoaReader::read_edge(std::uint32_t state, const std::optional<Labels>& of_state,
                          SetMask marks) {
  const HoaToken first = now();
  Labels labels;
  if (first.is_sign("[")) {
    if (of_state) refuse(first, "the state has a label already");
    labels = read_label();
  } else {
    labels = of_state ? *of_state : Labels{implicit_label(first)};
  }
  const std::uint32_t target = read_state_number();
  if (automaton_.transitions.size() <= target) automaton_.transitions.resize(target + 1);
  const SetMask met = sets_met(marks | read_marks());
  auto& out = automaton_.transitions[state];
  if (out.size() + labels.size() > kMostHoaTransitions)
    refuse(first, fmt::format("state {} has more than {} transitions", state, kMostHoaTransitions));
  for (const Label& label : labels) out.push_back({label, met, target});
}

HoaReader::Labels HoaReader::read_label() {
  const HoaToken first = now();
  expect_sign("[");
  const Expressions::Id id = expression(false);
  expect_sign("]");
  auto labels = expressions_.cases(id, false, kMostCases);
  if (!labels)
    refuse(first, fmt::format("this label is a disjunction of more than {} cases", kMostCases));
  return std::move(*labels);
}

// The next letter: edges without labels are as many as there are letters, in their order.
Label HoaReader::implicit_label(const HoaToken& at) {
  constexpr std::size_t kMostImplicit = 16;
  const std::size_t count = automaton_.propositions.size();
  if (count > kMostImplicit)
    refuse(at, fmt::format("edges without labels are not read with more than {} propositions",
                           kMostImplicit));
  const Letter letter = implicit_++;
  if (letter >= Letter{1} << count)
    refuse(at, fmt::format("the state has more than {} edges without labels", Letter{1} << count));
  return {letter, ~letter & ((Letter{1} << count) - 1)};
}

void HoaReader::check_implicit(const HoaToken& at) const {
  const std::size_t letters = implicit_ == 0 ? 0 : std::size_t{1} << automaton_.propositions.size();
  if (implicit_ != letters)
    refuse(at, fmt::format("the state has {} edges without labels; with {} propositions there must "
                           "be {}",
                           implicit_, automaton_.propositions.size(), letters));
}

std::uint32_t HoaReader::read_state_number() {
  const HoaToken number = expect(HoaKind::number, "the number of a state");
  if (number.number >= states_.value_or(kMostHoaStates))
    refuse(number, fmt::format("there is no state {}; they are numbered from 0, and there are {}",
                               number.number, states_.value_or(kMostHoaStates)));
  if (now().is_sign("&"))
    refuse(now(), "alternation (several states at once, joined by &) is not supported");
  return number.number;
}

SetMask HoaReader::read_marks() {
  SetMask marks = 0;
  if (!take_sign("{")) return marks;
  while (!take_sign("}")) {
    const HoaToken set = expect(HoaKind::number, "the number of a set");
    if (set.number >= marks_)
      refuse(set, fmt::format("there is no set {}; they are numbered from 0, and there are {}",
                              set.number, marks_));
    marks |= SetMask{1} << set.number;
  }
  return marks;
}

SetMask HoaReader::sets_met(SetMask marks) const {
  SetMask met = 0;
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if ((marks & sets_[i].present) != 0 || (~marks & sets_[i].absent) != 0) met |= SetMask{1} << i;
  return met;
}

}  // namespace spillway::ltl
