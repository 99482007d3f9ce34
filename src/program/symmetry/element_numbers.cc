#include "program/symmetry/element_numbers.h"

#include <algorithm>

#include "program/walk.h"

namespace spillway::program {

void ElementNumbers::element(const Expr& number, const Place& place, std::size_t steps,
                             const Type& bag) {
  if (number.op != Op::slot)
    return blame_(bag, place.position, "elements of a multiset have no fixed numbers");
  numbers_[number.slot].push_back({&place, steps, place.position});
  ++allowed_[number.slot];
}

void ElementNumbers::visits(SlotIndex slot, const Place& bag, Position position) {
  numbers_[slot].push_back({&bag, bag.steps.size(), position});
}

void ElementNumbers::include(const ElementNumbers& called) {
  added_.insert(called.added_.begin(), called.added_.end());
  swept_.insert(called.swept_.begin(), called.swept_.end());
  for (const auto& [bag, slots] : called.removed_) swept_.insert(bag);
}

const Type& ElementNumbers::bag_of(const Numbered& one) const {
  const Type* type =
      one.place->in_state ? program_.variables[one.place->root].type : frame_[one.place->root].type;
  for (std::size_t i = 0; i < one.steps; ++i)
    type = one.place->steps[i].index ? type->element : type->fields[one.place->steps[i].field].type;
  return *type;
}

bool ElementNumbers::same_bag(const Numbered& a, const Numbered& b) {
  if (a.place->in_state != b.place->in_state || a.place->root != b.place->root ||
      a.steps != b.steps)
    return false;
  for (std::size_t i = 0; i < a.steps; ++i) {
    const Selector &x = a.place->steps[i], &y = b.place->steps[i];
    if (!x.index != !y.index || x.field != y.field) return false;
    if (x.index && !alike(*x.index, *y.index)) return false;
  }
  return true;
}

void ElementNumbers::examine_uses(const std::vector<Parameter>& parameters) {
  for (const auto& [a, b] : compared_) {
    if (!numbers_.contains(a) || !numbers_.contains(b)) continue;
    ++allowed_[a];
    ++allowed_[b];
    // Both must be numbers of elements of the same bag, or nothing is known.
    numbers_[a].push_back(numbers_[b].front());
  }
  for (const auto& [slot, all] : numbers_) {
    const Numbered& first = all.front();
    for (const Numbered& other : all) {
      if (same_bag(first, other)) continue;
      for (const Numbered* one : {&first, &other})
        blame_(bag_of(*one), other.position,
               "this is an element by a number that was taken from another multiset");
    }
    if (uses_[slot] > allowed_[slot])
      blame_(bag_of(first), first.position, "the number of an element is used as a value");
    if (const auto range = ranges_.find(slot); range != ranges_.end())
      examine_range(first, *range->second);
    for (const Parameter& parameter : parameters)
      if (parameter.slot == slot) examine_parameter(first, parameter);
  }
}

void ElementNumbers::examine_range(const Numbered& first, const Range& range) const {
  const auto last = static_cast<Value>(bag_of(first).capacity) - 1;
  if (!range.unordered || range.by || range.from->op != Op::literal ||
      range.to->op != Op::literal || range.from->value != 0 || range.to->value != last)
    blame_(bag_of(first), first.position, "only some elements of a multiset are looked at");
}

void ElementNumbers::examine_parameter(const Numbered& first, const Parameter& parameter) const {
  const auto capacity = static_cast<Value>(bag_of(first).capacity);
  const std::set<Value> values(parameter.values.begin(), parameter.values.end());
  if (values.size() != parameter.values.size() || static_cast<Value>(values.size()) != capacity ||
      *values.begin() != 0 || *values.rbegin() != capacity - 1)
    blame_(bag_of(first), first.position, "only some elements of a multiset are looked at");
  const auto to_bag = first.place->steps.begin() + static_cast<std::ptrdiff_t>(first.steps);
  const bool fixed = std::all_of(first.place->steps.begin(), to_bag, [](const Selector& step) {
    return !step.index || step.index->op == Op::slot || step.index->op == Op::literal;
  });
  if (!fixed)
    blame_(bag_of(first), first.position,
           "the multiset that an element was chosen from may change");
}

// An element that is added takes the first free number.  If several numbers may be free, it depends
// on their order.  That is observable only if a number was free and is then used.
void ElementNumbers::examine_removals(const std::vector<Parameter>& parameters) {
  for (const Type* bag : added_) {
    if (!swept_.contains(bag) && removed_[bag].size() < 2) continue;
    for (const Parameter& parameter : parameters)
      if (const auto found = numbers_.find(parameter.slot);
          found != numbers_.end() && &bag_of(found->second[0]) == bag)
        blame_(*bag, found->second[0].position,
               "elements are removed and added while others are referred to by number");
  }
}

}  // namespace spillway::program
