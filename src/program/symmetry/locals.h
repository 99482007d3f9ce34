// What is known about local variables at one point of a rule or property.
//
// A cell is a scalar, a multiset or a large array in a local variable; records are looked at by
// field, and small arrays by element.  Of a cell it is known which value it has, and which loops may have left something in it: it then has
// the value that an earlier turn of the loop gave it, or had before.  State variables never count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "program/symmetry/accesses.h"

namespace spillway::program {

using LoopNumber = std::uint32_t;

// The values within some place that are known, each with the rest of the path to it.
struct Content {
  std::vector<std::pair<std::vector<PathPart>, Meaning>> values;

  Content() = default;
  Content(Meaning scalar) : values{{{}, scalar}} {}
  std::optional<Meaning> scalar() const;
  std::optional<bool> truth() const;
  bool operator==(const Content&) const = default;
};

// The paths to cells have numbers, so that what is known about them can be copied quickly.
using CellNumber = std::uint32_t;

// At one point.
struct Flow {
  bool reached = true;                                          // otherwise nothing is known
  std::vector<std::pair<CellNumber, Meaning>> values;           // in order
  std::vector<std::pair<LoopNumber, CellNumber>> left_overs{};  // in order

  std::size_t size() const { return values.size() + left_overs.size(); }
  // Either of them.
  void join(const Flow& other);
};

class Locals {
 public:
  Flow now;

  Content at(const Path& path) const;
  // The whole place gets a new value.
  void replace(const Path& path, const Content& content);
  // Any part of it may get another value.
  void spoil(const Path& path);
  void leave_over(LoopNumber loop, const Path& cell);
  // The loops that may have left something there, and the cells.
  std::vector<std::pair<LoopNumber, Path>> left_over(const Path& path) const;
  void forget_loop(LoopNumber loop);
  // All that belongs to a call that is over.
  void forget(std::uint32_t call);

 private:
  CellNumber number(const Path& cell);

  std::map<Path, CellNumber> numbers_;
  std::vector<Path> cells_;       // by number
  std::vector<CellNumber> free_;  // numbers that are not used
};

}  // namespace spillway::program
