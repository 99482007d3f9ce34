#include "storage/parts/row_parts.h"

#include <fmt/format.h>

#include "base/error.h"

namespace spillway {

RowParts::RowParts(std::size_t words, std::vector<Part> parts)
    : parts_(std::move(parts)), owners_(words) {
  SPILLWAY_CHECK(parts_.size() <= kMost);
  std::vector<Word> seen(words);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    SPILLWAY_CHECK(!parts_[part].empty());
    for (const Piece& piece : parts_[part]) {
      SPILLWAY_CHECK(piece.mask != 0 && (seen[piece.word] & piece.mask) == 0);
      seen[piece.word] |= piece.mask;
      owners_[piece.word].push_back({piece.mask, std::uint64_t{1} << part});
    }
  }
  for (const Word word : seen) SPILLWAY_CHECK(word == ~Word{0});
}

std::uint64_t RowParts::differing(State a, State b) const {
  std::uint64_t parts = 0;
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const Word changed = a[i] ^ b[i];
    if (changed == 0) continue;
    for (const Owner& owner : owners_[i])
      if ((changed & owner.mask) != 0) parts |= owner.part;
  }
  return parts;
}

void RowParts::gather(State row, std::size_t part, Word* value) const {
  for (const Piece& piece : parts_[part]) *value++ = row[piece.word] & piece.mask;
}

void RowParts::scatter(const Word* value, std::size_t part, Word* row) const {
  for (const Piece& piece : parts_[part])
    row[piece.word] = (row[piece.word] & ~piece.mask) | *value++;
}

bool RowParts::has(State row, std::size_t part, const Word* value) const {
  for (const Piece& piece : parts_[part])
    if ((row[piece.word] & piece.mask) != *value++) return false;
  return true;
}

std::string RowParts::text() const {
  std::string text = fmt::format("{} words\n", words());
  for (const Part& part : parts_) {
    for (const Piece& piece : part)
      fmt::format_to(std::back_inserter(text), "{}:{:x} ", piece.word, piece.mask);
    text.back() = '\n';
  }
  return text;
}

}  // namespace spillway
