#include "program/symmetry/call_stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/walk.h"

namespace spillway::program {
namespace {

bool is_slot(const Place& place, SlotIndex slot) { return !place.in_state && place.root == slot; }

struct Mention : Visitor {
  using Visitor::operator();
  explicit Mention(SlotIndex of) : slot(of) {}
  void operator()(const Place& place) { found = found || is_slot(place, slot); }
  void operator()(const Statement& statement) {
    found = found || (statement.what == Do::bind_value && statement.slot == slot);
  }
  SlotIndex slot;
  bool found = false;
};

template <class Node>
bool mentions(const Node& node, SlotIndex slot) {
  Mention mention(slot);
  walk(node, mention);
  return mention.found;
}

// Gives the whole of a local variable a value that does not depend on the one it had.
bool replaces(const Statement& statement, SlotIndex slot) {
  if (statement.what != Do::assign && statement.what != Do::undefine && statement.what != Do::clear)
    return false;
  if (!is_slot(*statement.place, slot) || !statement.place->steps.empty()) return false;
  return statement.what != Do::assign || !mentions(*statement.value, slot);
}

struct Changes : Visitor {
  using Visitor::operator();
  explicit Changes(SlotIndex of) : slot(of) {}
  void operator()(const Expr& expr) {
    for (const Argument& argument : expr.arguments)
      found = found || (argument.place && is_slot(*argument.place, slot));
  }
  void operator()(const Statement& statement) {
    const bool reads = statement.what == Do::bind_value || statement.what == Do::loop_over;
    found = found || (statement.place && !reads && is_slot(*statement.place, slot));
  }
  SlotIndex slot;
  bool found = false;
};

}  // namespace

bool changes(const Function& function, SlotIndex slot) {
  Changes changes(slot);
  walk(function.body, changes);
  return changes.found;
}

bool Call::is_temporary(const Path& path, const Body* body) const {
  if (!owns(path) || body == nullptr || aliased.contains(path.root)) return false;
  for (const auto& one : *body) {
    if (replaces(*one, path.root)) return !is_read_afterwards(path.root);
    if (mentions(*one, path.root)) return false;
  }
  return false;
}

bool Call::is_read_afterwards(SlotIndex slot) const {
  for (std::size_t level = enclosing.size(); level-- > 0;) {
    const Body& body = *enclosing[level].body;
    for (std::size_t i = enclosing[level].at + 1; i < body.size(); ++i) {
      if (replaces(*body[i], slot)) return false;
      if (mentions(*body[i], slot)) return true;
    }
    if (enclosing[level].repeated_by == nullptr) continue;
    const Statement& loop = *enclosing[level].repeated_by;
    if (loop.what == Do::loop_while && mentions(*loop.branches[0].condition, slot)) return true;
    const bool innermost = level + 1 == enclosing.size();  // there, the loop itself replaces it
    for (std::size_t i = 0; i < enclosing[level].at + (innermost ? 0 : 1); ++i) {
      if (replaces(*body[i], slot)) return false;
      if (mentions(*body[i], slot)) return true;
    }
  }
  return false;
}

Call CallStack::prepare(const Frame& frame, const Function* function) {
  return {next_++,
          &frame,
          function,
          std::vector<std::optional<Path>>(frame.size()),
          std::vector<std::optional<Meaning>>(frame.size()),
          {},
          {},
          {}};
}

bool CallStack::is_in(const Function& function) const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [&](const Call& one) { return one.function == &function; });
}

Meaning CallStack::fresh() {
  depths_.push_back(depth_);
  return {false, depths_.size() - 1};
}

std::optional<Meaning> CallStack::known(const Expr& expr) const {
  if (expr.op == Op::literal) return Meaning{true, static_cast<std::uint64_t>(expr.value)};
  if (expr.op == Op::slot) return top().values[expr.slot];
  if (expr.op == Op::read && !expr.place->in_state && expr.place->steps.empty())
    return top().values[expr.place->root];
  return std::nullopt;
}

PathPart CallStack::part(const Expr& index) const {
  const std::optional<Meaning> value = known(index);
  if (!value) return {PathPart::By::unknown};
  return {value->literal ? PathPart::By::literal : PathPart::By::symbol, value->number};
}

Path CallStack::root(const Place& place) const {
  if (!place.in_state && (*top().frame)[place.root].holds == Holds::reference)
    if (const auto& to = top().references[place.root]) return *to;
  return {place.in_state, place.in_state ? 0 : top().number, place.root, {}};
}

std::string CallStack::name(const Path& path) const {
  if (path.in_state) return fmt::format("'{}'", program_.variables[path.root].name);
  for (const Call& one : calls_)
    if (one.number == path.call) return fmt::format("'{}'", (*one.frame)[path.root].name);
  return "a variable";
}

}  // namespace spillway::program
