// Computes which values each scalar of the state can have, by executing the program on intervals.
// See narrow.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "program/bounds.h"
#include "program/program.h"

namespace spillway::program {

class ValueRanges {
 public:
  // `unknown` are variables that may have any value of their types, because they are used in ways
  // that the analysis does not follow.
  ValueRanges(Program& program, const std::set<std::uint32_t>& unknown);

  // The scalars of a variable are numbered in order; an array counts as one element.
  std::optional<Interval> of(std::size_t variable, std::size_t scalar) const {
    return cells_[first_[variable] + scalar];
  }
  static std::size_t scalars(const Type& type);

 private:
  using Cell = std::size_t;
  // What is known at a point of an execution about slots and about scalars outside of arrays.
  struct Here {
    std::map<Cell, Interval> cells;
    std::map<SlotIndex, Interval> slots;
  };
  enum class End { reached, never };  // of a body: `never`, because something fails or leaves

  class KnownHere;

  Cell cell_of(const Place& place) const;
  static bool is_element(const Place& place);

  void find_thresholds();
  // visit(type, cell) for the scalars of a type, from `cell` on.
  template <class Visit>
  static void each_scalar(const Type& type, Cell& cell, Visit visit);
  void grow(Cell cell, const Type& type, Interval values);

  void execute(const Header& header, const Expr* guard, const Body& body);
  End execute(const Body& body, const Frame& frame, Here& here);
  End execute(const Statement& statement, const Frame& frame, Here& here);
  End choose(const Statement& statement, const Frame& frame, Here& here);
  void assign(const Place& place, Interval values, Here& here);
  // Adds what follows if the condition is `truth`; End::never if it cannot be.
  End refine(const Expr& condition, bool truth, const Frame& frame, Here& here) const;
  End refine_comparison(Op op, const Expr& a, const Expr& b, const Frame& frame, Here& here) const;
  End bound(const Expr& expr, Interval values, const Frame& frame, Here& here) const;
  Interval value(const Expr& expr, const Frame& frame, const Here& here) const;

  Program& program_;
  std::vector<Cell> first_;                     // of each variable
  std::vector<std::optional<Interval>> cells_;  // std::nullopt: no value so far
  std::vector<unsigned> growths_;
  std::set<Value> thresholds_;
  bool grown_ = false;
};

}  // namespace spillway::program
