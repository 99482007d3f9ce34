#include "program/symmetry/call_stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/walk.h"

namespace spillway::program {
namespace {

// The fields of a record, or the elements of a small array.
std::vector<PathPart> parts_of(const Type& type) {
  constexpr std::uint64_t kMostCells = 64;
  std::vector<PathPart> parts;
  if (type.kind == Kind::record)
    for (std::size_t i = 0; i < type.fields.size(); ++i) parts.push_back({PathPart::By::field, i});
  if (type.kind == Kind::array && cells(type) <= kMostCells)
    for (std::uint64_t code = 1; code <= type.index->domain.size(); ++code)
      parts.push_back(
          {PathPart::By::literal, static_cast<std::uint64_t>(type.index->domain.value(code))});
  return parts;
}

bool is_slot(const Place& place, SlotIndex slot) { return !place.in_state && place.root == slot; }

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

Call CallStack::prepare(const Frame& frame, const Function* function) {
  return {next_++, &frame, function, std::vector<std::optional<Path>>(frame.size()),
          std::vector<std::optional<Meaning>>(frame.size())};
}

bool CallStack::is_in(const Function& function) const {
  return std::any_of(calls_.begin(), calls_.end(),
                     [&](const Call& one) { return one.function == &function; });
}

Meaning CallStack::fresh(Defined defined) {
  symbols_.push_back({depth_, defined});
  return {Meaning::Is::symbol, symbols_.size() - 1};
}

Path CallStack::root(const Place& place) const {
  if (!place.in_state && (*top().frame)[place.root].holds == Holds::reference)
    if (const auto& to = top().references[place.root]) return *to;
  return {place.in_state, place.in_state ? 0 : top().number, place.root, {}};
}

const Call* CallStack::call(std::uint32_t number) const {
  const auto found = std::find_if(calls_.begin(), calls_.end(),
                                  [&](const Call& one) { return one.number == number; });
  return found == calls_.end() ? nullptr : &*found;
}

const Type& CallStack::type(const Path& path) const {
  const Call& owner = *call(path.call);
  const Type* type =
      path.root == result_slot(owner) ? owner.function->result : (*owner.frame)[path.root].type;
  for (const PathPart& part : path.parts)
    type = part.by == PathPart::By::field ? type->fields[part.number].type : type->element;
  return *type;
}

std::vector<Path> CallStack::cells(const Path& path) const {
  const std::vector<PathPart> parts = parts_of(type(path));
  if (parts.empty()) return {path};
  std::vector<Path> cells;
  for (const PathPart& part : parts) {
    Path inner = path;
    inner.parts.push_back(part);
    std::vector<Path> some = this->cells(inner);
    std::move(some.begin(), some.end(), std::back_inserter(cells));
  }
  return cells;
}

std::vector<Path> CallStack::cells_in_any_turn(const Path& path) const {
  std::vector<Path> places = {{path.in_state, path.call, path.root, {}}};
  for (const PathPart& part : path.parts) {
    const bool differs = part.by == PathPart::By::unknown ||
                         (part.by == PathPart::By::symbol && symbols_[part.number].depth >= depth_);
    std::vector<PathPart> ways = differs ? parts_of(type(places[0])) : std::vector{part};
    if (ways.empty()) ways = {part};
    std::vector<Path> longer;
    for (const Path& place : places)
      for (const PathPart& way : ways) longer.emplace_back(place).parts.push_back(way);
    places = std::move(longer);
  }
  std::vector<Path> all;
  for (const Path& place : places) {
    std::vector<Path> some = cells(place);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

Content CallStack::undefined(const Path& path) const {
  Content content;
  for (const Path& cell : cells(path)) {
    const auto rest = cell.parts.begin() + static_cast<std::ptrdiff_t>(path.parts.size());
    if (const Type& one = type(cell); one.is_scalar() && !one.total)
      content.values.emplace_back(std::vector<PathPart>(rest, cell.parts.end()),
                                  Meaning{Meaning::Is::undefined});
  }
  return content;
}

std::string CallStack::name(const Path& path) const {
  if (path.in_state) return fmt::format("'{}'", program_.variables[path.root].name);
  const Call* owner = call(path.call);
  if (owner == nullptr) return "a variable";
  std::string name = (*owner->frame)[path.root].name;
  Path at{path.in_state, path.call, path.root, {}};
  for (const PathPart& part : path.parts) {
    name += part.by == PathPart::By::field ? "." + type(at).fields[part.number].name : "[...]";
    at.parts.push_back(part);
  }
  return "'" + name + "'";
}

}  // namespace spillway::program
