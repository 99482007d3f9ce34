// Analyses how a rule, property or function uses the numbers of elements of bags.
//
// Elements are kept in the order of their values, and that order depends on the names of
// identities.  A number may lead to an element of the bag that it was taken from; any other use
// reveals the order.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/program.h"

namespace spillway::program {

class ElementNumbers {
 public:
  // Called with what reveals the order of elements in bags of this type.
  using Blame = std::function<void(const Type& bag, Position, const std::string& why)>;
  ElementNumbers(const Program& program, const Frame& frame, Blame blame)
      : program_(program), frame_(frame), blame_(std::move(blame)) {}

  // An element is used by its number.  The first `steps` steps of the place lead to the bag.
  void element(const Expr& number, const Place& place, std::size_t steps, const Type& bag);
  // The slot takes the numbers of all elements of the bag.
  void visits(SlotIndex slot, const Place& bag, Position position);
  void takes(SlotIndex slot, const Range& range) { ranges_[slot] = &range; }
  void used(SlotIndex slot) { ++uses_[slot]; }
  void compared(SlotIndex a, SlotIndex b) { compared_.push_back({a, b}); }

  void added(const Type& bag) { added_.insert(&bag); }
  void swept(const Type& bag) { swept_.insert(&bag); }
  void removed(const Type& bag, SlotIndex number) { removed_[&bag].insert(number); }
  // What a function that is called adds and removes.
  void include(const ElementNumbers& called);

  void examine_uses(const std::vector<Parameter>& parameters);
  void examine_removals(const std::vector<Parameter>& parameters);

 private:
  struct Numbered {
    const Place* place;
    std::size_t steps;
    Position position;
  };
  using Comparison = std::pair<SlotIndex, SlotIndex>;

  const Type& bag_of(const Numbered& one) const;
  static bool same_bag(const Numbered& a, const Numbered& b);
  void examine_range(const Numbered& first, const Range& range) const;
  void examine_parameter(const Numbered& first, const Parameter& parameter) const;

  const Program& program_;
  const Frame& frame_;
  Blame blame_;
  std::map<SlotIndex, std::vector<Numbered>> numbers_;  // slots that are numbers of elements
  std::map<SlotIndex, std::size_t> uses_, allowed_;
  std::map<SlotIndex, const Range*> ranges_;
  std::vector<Comparison> compared_;
  std::set<const Type*> added_, swept_;                 // bags
  std::map<const Type*, std::set<SlotIndex>> removed_;  // by which numbers
};

}  // namespace spillway::program
