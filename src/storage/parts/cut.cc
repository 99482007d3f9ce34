#include "storage/parts/cut.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/memory/claim.h"
#include "storage/parts/parted_rows.h"
#include "storage/parts/value_set.h"

namespace spillway {
namespace {

using Part = RowParts::Part;

// Integers only: all machines cut alike.
constexpr unsigned kFraction = 16;

std::uint64_t log2_of(std::uint64_t x) {
  const auto whole = static_cast<unsigned>(std::bit_width(x) - 1);
  std::uint64_t result = std::uint64_t{whole} << kFraction;
  std::uint64_t y = whole > 31 ? x >> (whole - 31) : x << (31 - whole);  // 2^31 to 2^32
  for (unsigned i = 1; i <= kFraction; ++i) {
    y = y * y >> 31;
    if (y >> 32 == 0) continue;
    result |= std::uint64_t{1} << (kFraction - i);
    y >>= 1;
  }
  return result;
}

std::uint64_t root_of(std::uint64_t x) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= x) root |= bit;
  return root;
}

void add_bits(Part& part, BitRange range) {
  while (range.width != 0) {
    const unsigned shift = range.bit % 64;
    const std::uint64_t width = std::min<std::uint64_t>(range.width, 64 - shift);
    const Word mask = ~Word{0} >> (64 - width) << shift;
    const auto word = static_cast<std::uint32_t>(range.bit / 64);
    if (!part.empty() && part.back().word == word)
      part.back().mask |= mask;
    else
      part.push_back({word, mask});
    range.bit += width;
    range.width -= width;
  }
}

Part together(const Part& a, const Part& b) {
  Part all;
  std::ranges::merge(a, b, std::back_inserter(all), {}, &RowParts::Piece::word,
                     &RowParts::Piece::word);
  Part joined;
  for (const RowParts::Piece& piece : all) {
    if (!joined.empty() && joined.back().word == piece.word)
      joined.back().mask |= piece.mask;
    else
      joined.push_back(piece);
  }
  return joined;
}

std::uint64_t bits_in(const Part& part) {
  std::uint64_t bits = 0;
  for (const RowParts::Piece& piece : part)
    bits += static_cast<unsigned>(std::popcount(piece.mask));
  return bits;
}

// What is in no record.
std::vector<Part> atoms_of(std::size_t words, const std::vector<BitRange>& records) {
  std::vector<Part> atoms;
  std::vector<Word> left(words, ~Word{0});
  for (const BitRange& record : records) {
    if (record.width == 0) continue;
    add_bits(atoms.emplace_back(), record);
    for (const RowParts::Piece& piece : atoms.back()) left[piece.word] &= ~piece.mask;
  }
  for (std::size_t i = 0; i < words; ++i)
    if (left[i] != 0) atoms.push_back({{static_cast<std::uint32_t>(i), left[i]}});
  return atoms;
}

// A part as the sample shows it: the number of its value in each row.
struct Sampled {
  Part part;
  std::vector<std::uint32_t> numbers;
  std::uint32_t values = 0;
};

Sampled sampled(Part part, States sample, Budget& budget) {
  Sampled one{std::move(part), {}, 0};
  ValueSet values(budget, one.part.size());
  std::vector<Word> value(one.part.size());
  for (const State row : sample) {
    std::ranges::transform(one.part, value.begin(),
                           [&](const RowParts::Piece& p) { return row[p.word] & p.mask; });
    one.numbers.push_back(values.add(value.data()).first);
  }
  one.values = values.size();
  return one;
}

// Counts pairs of numbers.
class Pairs {
 public:
  explicit Pairs(Budget& budget) : budget_(budget) {}

  // Of the values of two parts.  `numbers` may be nullptr, or get those of the pairs.
  std::uint32_t count(const Sampled& a, const Sampled& b, std::vector<std::uint32_t>* numbers) {
    const std::uint64_t all = std::uint64_t{a.values} * b.values;
    return all <= kMostPlaces ? count_in_places(a, b, all, numbers) : count_in_set(a, b, numbers);
  }

 private:
  static constexpr std::uint64_t kMostPlaces = 1 << 20;

  std::uint32_t count_in_places(const Sampled& a, const Sampled& b, std::uint64_t all,
                                std::vector<std::uint32_t>* numbers) {
    places_.assign(all, 0);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
      std::uint32_t& place = places_[std::uint64_t{a.numbers[i]} * b.values + b.numbers[i]];
      if (place == 0) place = ++count;
      if (numbers != nullptr) numbers->push_back(place - 1);
    }
    return count;
  }

  std::uint32_t count_in_set(const Sampled& a, const Sampled& b,
                             std::vector<std::uint32_t>* numbers) {
    ValueSet pairs(budget_, 1);
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
      const Word pair = Word{a.numbers[i]} << 32 | b.numbers[i];
      const std::uint32_t number = pairs.add(&pair).first;
      if (numbers != nullptr) numbers->push_back(number);
    }
    return pairs.size();
  }

  Budget& budget_;
  std::vector<std::uint32_t> places_;
};

class Cutter {
 public:
  Cutter(States sample, Budget& budget, const CutSettings& settings)
      : sample_(sample),
        settings_(settings),
        growth_(root_of(std::max<std::uint64_t>(1, settings.states / sample.size()))),
        pairs_(budget) {}

  // Merges what differs in the sample.
  void merge(std::vector<Sampled>& parts) {
    count_pairs(parts);
    for (;;) {
      std::int64_t best = 0;
      std::pair<std::size_t, std::size_t> which;
      for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size(); ++j)
          if (const std::int64_t gain = gain_of(parts[i], parts[j], together_[i][j]); gain > best) {
            best = gain;
            which = {i, j};
          }
      if (best == 0) return;
      join(parts, which.first, which.second);
    }
  }

 private:
  std::uint64_t cost(std::uint64_t values, std::uint64_t bits) const {
    constexpr std::uint64_t kIndexBits = 96;  // of a value
    return settings_.states * log2_of(values) +
           (values * growth_ * (bits + kIndexBits) << kFraction);
  }

  std::int64_t gain_of(const Sampled& a, const Sampled& b, std::uint64_t values) const {
    if (values > sample_.size() / settings_.rare) return 0;
    const std::uint64_t bits_a = bits_in(a.part), bits_b = bits_in(b.part);
    return static_cast<std::int64_t>(cost(a.values, bits_a) + cost(b.values, bits_b)) -
           static_cast<std::int64_t>(cost(values, bits_a + bits_b));
  }

  void count_pairs(const std::vector<Sampled>& parts) {
    together_.assign(parts.size(), std::vector<std::uint32_t>(parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j)
        together_[i][j] = pairs_.count(parts[i], parts[j], nullptr);
  }

  void join(std::vector<Sampled>& parts, std::size_t i, std::size_t j) {
    Sampled both{together(parts[i].part, parts[j].part), {}, 0};
    both.values = pairs_.count(parts[i], parts[j], &both.numbers);
    parts[i] = std::move(both);
    const auto at = static_cast<std::ptrdiff_t>(j);
    parts.erase(parts.begin() + at);
    together_.erase(together_.begin() + at);
    for (auto& row : together_) row.erase(row.begin() + at);
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (k != i)
        together_[std::min(i, k)][std::max(i, k)] = pairs_.count(parts[i], parts[k], nullptr);
  }

  const States sample_;
  const CutSettings& settings_;
  const std::uint64_t growth_;
  Pairs pairs_;
  std::vector<std::vector<std::uint32_t>> together_;  // values of two parts, the first one first
};

}  // namespace

std::optional<RowParts> cut(States sample, std::size_t words, const std::vector<BitRange>& records,
                            Budget& budget, const CutSettings& settings) {
  if (sample.empty()) return std::nullopt;
  std::vector<Sampled> varying;
  std::vector<Claim> claims;
  Part rest;  // what is the same in all rows
  for (Part& atom : atoms_of(words, records)) {
    claims.emplace_back(budget, sample.size() * sizeof(std::uint32_t));
    Sampled one = sampled(std::move(atom), sample, budget);
    if (one.values == 1) {
      rest = together(rest, one.part);
      claims.pop_back();
    } else if (settings.common != 0 && one.values > sample.size() / settings.common) {
      return std::nullopt;
    } else {
      varying.push_back(std::move(one));
    }
  }
  Cutter(sample, budget, settings).merge(varying);
  std::vector<Part> parts;
  for (Sampled& one : varying) parts.push_back(std::move(one.part));
  if (!rest.empty()) parts.push_back(std::move(rest));
  const std::size_t short_words = std::max(PartedRows::kLeastWords, (parts.size() + 1) / 2);
  if (parts.size() > RowParts::kMost || short_words * settings.least_gain > words)
    return std::nullopt;
  return RowParts(words, std::move(parts));
}

}  // namespace spillway
