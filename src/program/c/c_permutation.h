// Writes the part of the C text that permutes the identities of a row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/symmetry/symmetric_cells.h"

namespace spillway::program {

class CPermutation {
 public:
  explicit CPermutation(const SymmetricCells& cells);

  // Defines move_blocks(t, from, out), rename_held(to, out), sort_all(out), BLOCKS_TELL and
  // same_blocks(t, group, a, b).
  std::string text() const;

 private:
  struct Index {
    std::uint32_t identity;
    std::int64_t stride;  // in bits
    bool operator==(const Index&) const = default;
  };
  // Bits that go to the same place together: not more than ld() can read.
  struct Block {
    std::uint64_t bit;
    unsigned width;
    std::vector<Index> at;
  };
  // Blocks that differ only in their first bits and identities.
  struct Family {
    unsigned width;
    std::vector<std::int64_t> strides;
    std::uint64_t word;  // kManyWords, or the one that has all of them
    std::vector<const Block*> blocks;
  };
  static constexpr std::uint64_t kManyWords = UINT64_MAX;

  void add(std::uint64_t bit, unsigned width, const std::vector<Index>& at);
  std::vector<Index> indices(std::size_t cell) const;
  std::vector<Family> families() const;
  std::uint64_t word_of(const Block& block) const;
  const SymmetricCells::Group& group_of(std::uint32_t identity) const;
  void move(std::string& out) const;
  void rename(std::string& out) const;
  void sort(std::string& out) const;
  void compare(std::string& out) const;

  const SymmetricCells& cells_;
  std::vector<std::uint64_t> fixed_;  // bits of each word that stay
  std::vector<Block> blocks_;
};

}  // namespace spillway::program
