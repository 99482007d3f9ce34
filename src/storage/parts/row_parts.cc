#include "storage/parts/row_parts.h"

#include <fmt/format.h>

#include "base/error.h"

namespace spillway {

RowParts::RowParts(std::size_t words, std::vector<Part> parts)
    : words_(words), parts_(std::move(parts)) {
  SPILLWAY_CHECK(parts_.size() <= kMost);
  std::vector<Word> seen(words);
  std::vector<std::vector<Owner>> owners(words);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    SPILLWAY_CHECK(!parts_[part].empty());
    for (const Piece& piece : parts_[part]) {
      SPILLWAY_CHECK(piece.mask != 0 && (seen[piece.word] & piece.mask) == 0);
      seen[piece.word] |= piece.mask;
      owners[piece.word].push_back({piece.mask, std::uint64_t{1} << part});
    }
  }
  for (const Word word : seen) SPILLWAY_CHECK(word == ~Word{0});
  for (const std::vector<Owner>& some : owners) {
    first_owners_.push_back(static_cast<std::uint32_t>(owners_.size()));
    owners_.insert(owners_.end(), some.begin(), some.end());
  }
  first_owners_.push_back(static_cast<std::uint32_t>(owners_.size()));
}

std::uint64_t RowParts::differing(State a, State b) const {
  constexpr std::size_t kTogether = 8;  // most words are equal
  std::uint64_t parts = 0;
  const auto look_at = [&](std::size_t from, std::size_t count) {
    Word any = 0;
    for (std::size_t i = from; i < from + count; ++i) any |= a[i] ^ b[i];
    if (any == 0) return;
    for (std::size_t i = from; i < from + count; ++i)
      if (const Word changed = a[i] ^ b[i]; changed != 0) parts |= owners_of(i, changed);
  };
  std::size_t i = 0;
  for (; i + kTogether <= words_; i += kTogether) look_at(i, kTogether);
  look_at(i, words_ - i);
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
