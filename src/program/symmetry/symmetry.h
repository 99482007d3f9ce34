// One representative for all states that differ only in the names of symmetric identities.
//
// A permutation of the identities of each symmetry acts on a state: on values, and on the positions
// in arrays that identities index.  canonical() maps a state and all its images to the same state.
//
// Method.  Each identity gets a colour that depends on where it occurs, not on its name: a sum of
// hashes over the cells that it indexes or that hold it, refined with the colours of the others
// until nothing changes.  Identities are sorted by colour.  If colours are equal, exchanging two
// neighbours often changes nothing; if it does change something, all orders are tried, and the
// smallest row is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state.h"
#include "program/program.h"
#include "program/symmetry/symmetric_cells.h"

namespace spillway::program {

enum class Canonical {
  exhaustive,  // one representative for each class of states
  heuristic,   // identities of one colour stay in the order they have: sometimes several
               // representatives
};

class Symmetries {
 public:
  Symmetries(const Program& program, Canonical canonical);
  bool empty() const { return cells_.identities() == 0; }
  Canonical mode() const { return mode_; }
  const SymmetricCells& cells() const { return cells_; }
  // The largest number of orders that may have to be tried for one state.
  double worst_orders() const;

  // Replaces a row by its representative.  Can be called from any thread.
  void canonical(Word* row) const;

  // The image of each identity.  The identities of all symmetries are numbered consecutively.
  using Permutation = std::vector<std::uint32_t>;
  // A permutation that depends only on the seed and is not the identity.  REQUIRES: not empty().
  Permutation permutation(std::uint64_t seed) const;
  // Replaces a row by its image.  Can be called from any thread.
  void permute(Word* row, const Permutation& to) const;

 private:
  using Cell = SymmetricCells::Cell;
  using Coordinate = SymmetricCells::Coordinate;
  using CodeRange = SymmetricCells::CodeRange;
  using Group = SymmetricCells::Group;
  struct Scratch;

  std::int64_t identity_of(const Cell& cell, std::uint64_t code) const;
  void read(Scratch& s, const Word* row) const;
  // REQUIRES: the row is all zero.
  void write(const std::vector<std::uint64_t>& codes, Word* row) const;
  void colour(Scratch& s) const;
  void accumulate(Scratch& s) const;
  void permute(Scratch& s, const std::vector<std::uint32_t>& to,
               std::vector<std::uint64_t>& out) const;
  static void store(Word* row, const Cell& cell, std::uint64_t code);
  bool exchange_changes_nothing(Scratch& s, std::uint32_t a, std::uint32_t b) const;
  void try_orders(Scratch& s, std::size_t tie) const;
  void keep_if_less(Scratch& s) const;

  Canonical mode_;
  SymmetricCells cells_;
};

}  // namespace spillway::program
