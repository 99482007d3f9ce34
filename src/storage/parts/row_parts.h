// Which bits of a row belong to which part of it.
//
// The value of a part has a word for each word of the row in which the part has bits, with all other
// bits zero.  That is longer than its bits one after the other would be, and costs no shifts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/state.h"

namespace spillway {

class RowParts {
 public:
  static constexpr std::size_t kMost = 64;

  struct Piece {
    std::uint32_t word;
    Word mask;
    bool operator==(const Piece&) const = default;
  };
  using Part = std::vector<Piece>;  // in order of words

  // REQUIRES: each bit of a row of `words` words is in exactly one part, and each part has one;
  // at most kMost parts.
  RowParts(std::size_t words, std::vector<Part> parts);

  std::size_t words() const { return words_; }
  std::size_t size() const { return parts_.size(); }
  std::size_t value_words(std::size_t part) const { return parts_[part].size(); }
  const std::vector<Part>& parts() const { return parts_; }

  // The parts, as bits, in which two rows differ.
  std::uint64_t differing(State a, State b) const;
  void gather(State row, std::size_t part, Word* value) const;
  void scatter(const Word* value, std::size_t part, Word* row) const;
  bool has(State row, std::size_t part, const Word* value) const;

  // A line for each part.
  std::string text() const;

 private:
  struct Owner {
    Word mask;
    std::uint64_t part;  // as a bit
  };

  std::uint64_t owners_of(std::size_t word, Word changed) const {
    std::uint64_t parts = 0;
    for (std::uint32_t i = first_owners_[word]; i < first_owners_[word + 1]; ++i)
      parts |= (changed & owners_[i].mask) != 0 ? owners_[i].part : 0;
    return parts;
  }

  const std::size_t words_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> first_owners_;  // of each word, and the number of all
  std::vector<Owner> owners_;
};

}  // namespace spillway
