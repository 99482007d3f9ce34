// The cells of a state with identities: which of them index a cell, and which values of it are
// identities.
//
// The identities of all symmetries with at least two of them are numbered consecutively.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/bags.h"
#include "program/layout.h"
#include "program/program.h"

namespace spillway::program {

class SymmetricCells {
 public:
  explicit SymmetricCells(const Program& program);

  // A symmetric index on the path to a cell.
  struct Coordinate {
    std::uint32_t identity;  // that indexes the cell here
    std::int64_t stride;     // cells from one identity to the next
    bool operator==(const Coordinate&) const = default;
  };
  // A range of codes of a cell that are identities.
  struct CodeRange {
    std::uint64_t first_code, last_code;
    std::uint32_t first_identity;
    auto operator<=>(const CodeRange&) const = default;
  };
  struct Cell {
    std::uint64_t bit;
    unsigned width;
    bool total;
    std::uint64_t hash;              // of the way to the cell, without symmetric indices
    std::uint32_t coordinates, end;  // in all coordinates
    std::uint32_t parts, parts_end;  // in all parts
  };
  struct Group {  // a symmetry
    std::uint32_t first, size;
  };

  std::uint32_t identities() const { return identities_; }
  // Some cell distinguishes two identities by each other.
  bool related() const { return related_; }
  const std::vector<Group>& groups() const { return groups_; }
  // In the order of Layout.
  const std::vector<Cell>& cells() const { return cells_; }
  std::span<const Coordinate> coordinates(const Cell& cell) const {
    return {coordinates_.data() + cell.coordinates, coordinates_.data() + cell.end};
  }
  std::span<const CodeRange> parts(const Cell& cell) const {
    return {parts_.data() + cell.parts, parts_.data() + cell.parts_end};
  }
  const std::vector<PackedBag>& bags() const { return bags_; }
  std::size_t words() const { return layout_.words(); }

 private:
  void add(const Type& type, std::uint64_t hash, std::vector<Coordinate>& way);
  void add_cell(const Type* type, std::uint64_t hash, const std::vector<Coordinate>& way);
  std::int64_t identity_of(const Type& type, Value value) const;

  std::vector<Group> groups_;
  std::vector<Interval> intervals_;  // of each group
  std::uint32_t identities_ = 0;
  bool related_ = false;
  Layout layout_;
  std::vector<PackedBag> bags_;
  std::vector<Cell> cells_;
  std::vector<Coordinate> coordinates_;
  std::vector<CodeRange> parts_;
};

}  // namespace spillway::program
