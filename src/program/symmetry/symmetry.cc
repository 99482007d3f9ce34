#include "program/symmetry/symmetry.h"

#include <algorithm>
#include <numeric>

#include "program/symmetry/colour_hash.h"

namespace spillway::program {

// Working memory of one thread, kept between calls.
struct Symmetries::Scratch {
  std::vector<std::uint64_t> codes;
  std::vector<std::uint64_t> colours;
  std::vector<std::uint64_t> sums;
  std::vector<std::uint64_t> sorted;
  std::vector<std::uint32_t> order;  // identities of each group in their order
  std::vector<std::uint32_t> to;     // the identity that each becomes
  std::vector<std::uint32_t> swap;
  std::vector<std::uint64_t> image;
  std::vector<Word> row, best;
  struct Tie {
    std::size_t first, size;  // in order
  };
  std::vector<Tie> ties;
  bool any = false;
};

Symmetries::Symmetries(const Program& program, Canonical canonical)
    : mode_(canonical), cells_(program) {}

double Symmetries::worst_orders() const {
  double product = 1;
  for (const Group& group : cells_.groups())
    for (std::uint32_t k = 2; k <= group.size; ++k) product *= k;
  return product;
}

std::int64_t Symmetries::identity_of(const Cell& cell, std::uint64_t code) const {
  for (const CodeRange& part : cells_.parts(cell))
    if (part.first_code <= code && code <= part.last_code)
      return static_cast<std::int64_t>(part.first_identity + (code - part.first_code));
  return -1;
}

// Adds the hashes of its occurrences to each identity.
void Symmetries::accumulate(Scratch& s) const {
  for (std::size_t c = 0; c < cells_.cells().size(); ++c) {
    const Cell& cell = cells_.cells()[c];
    const std::uint64_t code = s.codes[c];
    if (code == 0 || (cell.coordinates == cell.end && cell.parts == cell.parts_end)) continue;
    const std::int64_t held = identity_of(cell, code);
    const std::uint64_t value =
        held >= 0 ? mix(kHeld, s.colours[static_cast<std::size_t>(held)]) : mix(kField, code);
    // The colours on the path, in order: the same for all identities that occur here.
    std::uint64_t way = mix(cell.hash, value);
    const std::span<const Coordinate> at = cells_.coordinates(cell);
    for (const Coordinate& one : at) way = mix(way, s.colours[one.identity]);
    const auto tell = [&](std::uint32_t identity, std::uint64_t role) {
      std::uint64_t told = mix(way, role);
      for (std::size_t k = 0; k < at.size(); ++k)
        if (at[k].identity == identity) told = mix(told, kSame + k);
      if (held == static_cast<std::int64_t>(identity)) told = mix(told, kHeld);
      s.sums[identity] += told;
    };
    for (std::size_t k = 0; k < at.size(); ++k) tell(at[k].identity, role_of(k));
    if (held >= 0) tell(static_cast<std::uint32_t>(held), kHeld);
  }
}

void Symmetries::colour(Scratch& s) const {
  s.colours.resize(cells_.identities());
  s.sums.resize(cells_.identities());
  for (std::size_t g = 0; g < cells_.groups().size(); ++g)
    std::fill_n(s.colours.begin() + cells_.groups()[g].first, cells_.groups()[g].size,
                first_colour(g));
  std::size_t distinct = cells_.groups().size();
  for (;;) {
    std::fill(s.sums.begin(), s.sums.end(), 0);
    accumulate(s);
    for (std::uint32_t i = 0; i < cells_.identities(); ++i)
      s.colours[i] = mix(s.colours[i], s.sums[i]);
    if (!cells_.related()) return;
    s.sorted = s.colours;
    std::sort(s.sorted.begin(), s.sorted.end());
    const auto now =
        static_cast<std::size_t>(std::unique(s.sorted.begin(), s.sorted.end()) - s.sorted.begin());
    if (now == distinct || now == cells_.identities()) return;
    distinct = now;
  }
}

// The codes of the image of the state when identity i becomes to[i].
void Symmetries::permute(Scratch& s, const std::vector<std::uint32_t>& to,
                         std::vector<std::uint64_t>& out) const {
  out.resize(cells_.cells().size());
  for (std::size_t c = 0; c < cells_.cells().size(); ++c) {
    const Cell& cell = cells_.cells()[c];
    auto target = static_cast<std::int64_t>(c);
    for (const Coordinate& at : cells_.coordinates(cell))
      target +=
          (static_cast<std::int64_t>(to[at.identity]) - static_cast<std::int64_t>(at.identity)) *
          at.stride;
    std::uint64_t code = s.codes[c];
    if (const std::int64_t held = code != 0 ? identity_of(cell, code) : -1; held >= 0)
      code += static_cast<std::uint64_t>(to[static_cast<std::size_t>(held)]) -
              static_cast<std::uint64_t>(held);
    out[static_cast<std::size_t>(target)] = code;
  }
}

void Symmetries::store(Word* row, const Cell& cell, std::uint64_t code) {
  write_bits(row, cell.bit, cell.width, code - (cell.total ? 1 : 0));
}

bool Symmetries::exchange_changes_nothing(Scratch& s, std::uint32_t a, std::uint32_t b) const {
  s.swap.resize(cells_.identities());
  std::iota(s.swap.begin(), s.swap.end(), 0U);
  std::swap(s.swap[a], s.swap[b]);
  permute(s, s.swap, s.image);
  if (s.image == s.codes) return true;
  if (cells_.bags().empty()) return false;
  std::vector<Word> row(cells_.words());
  std::vector<Word> same(cells_.words());
  for (std::size_t c = 0; c < cells_.cells().size(); ++c) {
    store(row.data(), cells_.cells()[c], s.image[c]);
    store(same.data(), cells_.cells()[c], s.codes[c]);
  }
  sort_bags(cells_.bags(), row.data());
  sort_bags(cells_.bags(), same.data());
  return row == same;
}

void Symmetries::keep_if_less(Scratch& s) const {
  for (const Group& group : cells_.groups())
    for (std::uint32_t p = 0; p < group.size; ++p) s.to[s.order[group.first + p]] = group.first + p;
  permute(s, s.to, s.image);
  s.row.assign(cells_.words(), 0);
  write(s.image, s.row.data());
  if (!s.any || s.row < s.best) std::swap(s.row, s.best);
  s.any = true;
}

void Symmetries::try_orders(Scratch& s, std::size_t tie) const {
  if (tie == s.ties.size()) return keep_if_less(s);
  const auto first = s.order.begin() + static_cast<std::ptrdiff_t>(s.ties[tie].first);
  const auto last = first + static_cast<std::ptrdiff_t>(s.ties[tie].size);
  std::sort(first, last);
  do {
    try_orders(s, tie + 1);
  } while (std::next_permutation(first, last));
}

void Symmetries::read(Scratch& s, const Word* row) const {
  s.codes.resize(cells_.cells().size());
  for (std::size_t c = 0; c < cells_.cells().size(); ++c)
    s.codes[c] = read_bits(row, cells_.cells()[c].bit, cells_.cells()[c].width) +
                 (cells_.cells()[c].total ? 1 : 0);
}

void Symmetries::write(const std::vector<std::uint64_t>& codes, Word* row) const {
  for (std::size_t c = 0; c < cells_.cells().size(); ++c)
    if (codes[c] != 0) store(row, cells_.cells()[c], codes[c]);
  sort_bags(cells_.bags(), row);
}

Symmetries::Permutation Symmetries::permutation(std::uint64_t seed) const {
  Permutation to(cells_.identities());
  std::iota(to.begin(), to.end(), 0U);
  for (const Group& group : cells_.groups())
    for (std::uint32_t i = group.size; i > 1; --i) {
      seed = mix(seed, i);
      std::swap(to[group.first + i - 1], to[group.first + seed % i]);
    }
  // A group has at least two identities.
  if (std::is_sorted(to.begin(), to.end())) std::swap(to[0], to[1]);
  return to;
}

void Symmetries::permute(Word* row, const Permutation& to) const {
  static thread_local Scratch s;
  read(s, row);
  permute(s, to, s.image);
  std::fill_n(row, cells_.words(), 0);
  write(s.image, row);
}

void Symmetries::canonical(Word* row) const {
  static thread_local Scratch s;
  read(s, row);
  colour(s);
  s.order.resize(cells_.identities());
  s.to.resize(cells_.identities());
  std::iota(s.order.begin(), s.order.end(), 0U);
  s.ties.clear();
  for (const Group& group : cells_.groups()) {
    const auto begin = s.order.begin() + group.first;
    std::sort(begin, begin + group.size, [&](std::uint32_t a, std::uint32_t b) {
      return s.colours[a] != s.colours[b] ? s.colours[a] < s.colours[b] : a < b;
    });
    for (std::uint32_t p = group.first;
         p < group.first + group.size && mode_ == Canonical::exhaustive;) {
      std::uint32_t end = p + 1;
      bool alike = true;
      for (; end < group.first + group.size && s.colours[s.order[end]] == s.colours[s.order[p]];
           ++end)
        alike = alike && exchange_changes_nothing(s, s.order[end - 1], s.order[end]);
      if (!alike) s.ties.push_back({p, end - p});
      p = end;
    }
  }
  s.any = false;
  try_orders(s, 0);
  std::copy(s.best.begin(), s.best.end(), row);
}

}  // namespace spillway::program
