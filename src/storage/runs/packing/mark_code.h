// A code for marks, which say from which source each row of a merge came: frequent marks are short.
//
// It is made of how many rows each source has, which is known before the merge, so nothing needs to
// be stored with the marks.  (Huffman 1952, with canonical codes.)
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace spillway {

class MarkCode {
 public:
  static constexpr std::size_t kMostMarks = 64;
  static constexpr unsigned kLongest = 12;  // bits

  // `rows`: how many rows have each mark.  REQUIRES: 2 to kMostMarks marks.
  explicit MarkCode(std::span<const std::uint64_t> rows);

  struct Word {
    std::uint16_t bits = 0;  // the first one is the lowest
    std::uint8_t length = 0;
  };
  const Word& of(std::uint8_t mark) const { return words_[mark]; }

  struct Meaning {
    std::uint8_t mark = 0;
    std::uint8_t length = 0;
  };
  // What kLongest bits begin with.
  std::vector<Meaning> meanings() const;

 private:
  std::array<Word, kMostMarks> words_;
  std::size_t marks_;
};

}  // namespace spillway
