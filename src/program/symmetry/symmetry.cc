#include "program/symmetry/symmetry.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace spillway::program {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return scatter(a * 0x9e3779b97f4a7c15U + b); }

enum : std::uint64_t {
  kIndexed = 0x11,
  kHeld = 0x22,
  kField = 0x33,
  kElement = 0x44,
  kSlot = 0x55,
  kSame = 0x66
};

// Numbers and truth values may lie in the same interval as identities, but have no names of their
// own.
bool has_names(const Type& type, const Interval& interval) {
  return !type.truth && std::any_of(type.names.begin(), type.names.end(),
                                    [&](const Names& names) { return names.interval == interval; });
}

}  // namespace

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
    : mode_(canonical), layout_(program), bags_(packed_bags(program)) {
  for (const Symmetry& symmetry : program.symmetries) {
    const Interval all = symmetry.identities;
    const auto size = static_cast<std::uint32_t>(all.high - all.low + 1);
    if (size < 2) continue;
    groups_.push_back({identities_, size});
    intervals_.push_back(all);
    identities_ += size;
  }
  std::vector<Coordinate> way;
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    add(*program.variables[i].type, mix(kField, i), way);
}

double Symmetries::worst_orders() const {
  double product = 1;
  for (const Group& group : groups_)
    for (std::uint32_t k = 2; k <= group.size; ++k) product *= k;
  return product;
}

std::int64_t Symmetries::identity_of(const Type& type, Value value) const {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (intervals_[g].low <= value && value <= intervals_[g].high && has_names(type, intervals_[g]))
      return groups_[g].first + (value - intervals_[g].low);
  return -1;
}

void Symmetries::add(const Type& type, std::uint64_t hash, std::vector<Coordinate>& way) {
  switch (type.kind) {
    case Kind::scalar: {
      const Layout::Cell& place = layout_.cells()[cells_.size()];
      Cell cell{place.bit,
                place.width,
                place.total,
                hash,
                static_cast<std::uint32_t>(coordinates_.size()),
                0,
                static_cast<std::uint32_t>(parts_.size()),
                0};
      coordinates_.insert(coordinates_.end(), way.begin(), way.end());
      std::uint64_t code = 1;
      for (const Interval& interval : type.domain.intervals()) {
        const auto size = static_cast<std::uint64_t>(interval.high - interval.low) + 1;
        for (std::size_t g = 0; g < groups_.size(); ++g)
          if (intervals_[g] == interval && has_names(type, interval))
            parts_.push_back({code, code + size - 1, groups_[g].first});
        code += size;
      }
      cell.end = static_cast<std::uint32_t>(coordinates_.size());
      cell.parts_end = static_cast<std::uint32_t>(parts_.size());
      if (cell.end - cell.coordinates + (cell.parts_end > cell.parts ? 1U : 0U) > 1)
        related_ = true;
      cells_.push_back(cell);
      break;
    }
    case Kind::record:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        add(*type.fields[i].type, mix(hash, mix(kField, i)), way);
      break;
    case Kind::array:
      for (std::uint64_t code = 1; code <= type.index->domain.size(); ++code) {
        const std::int64_t identity = identity_of(*type.index, type.index->domain.value(code));
        if (identity < 0) {
          add(*type.element, mix(hash, mix(kElement, code)), way);
          continue;
        }
        way.push_back({static_cast<std::uint32_t>(identity),
                       static_cast<std::int64_t>(program::cells(*type.element))});
        add(*type.element, mix(hash, kIndexed), way);
        way.pop_back();
      }
      break;
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        const Layout::Cell& mark = layout_.cells()[cells_.size()];
        const auto none = static_cast<std::uint32_t>(parts_.size());
        Cell cell{mark.bit,
                  1,
                  false,
                  mix(hash, kSlot),
                  static_cast<std::uint32_t>(coordinates_.size()),
                  0,
                  none,
                  none};
        coordinates_.insert(coordinates_.end(), way.begin(), way.end());
        cell.end = static_cast<std::uint32_t>(coordinates_.size());
        cells_.push_back(cell);
        add(*type.element, mix(hash, kSlot + 1), way);
      }
      break;
  }
}

std::int64_t Symmetries::identity_of(const Cell& cell, std::uint64_t code) const {
  for (std::uint32_t p = cell.parts; p < cell.parts_end; ++p)
    if (parts_[p].first_code <= code && code <= parts_[p].last_code)
      return static_cast<std::int64_t>(parts_[p].first_identity + (code - parts_[p].first_code));
  return -1;
}

// Adds the hashes of its occurrences to each identity.
void Symmetries::accumulate(Scratch& s) const {
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Cell& cell = cells_[c];
    const std::uint64_t code = s.codes[c];
    if (code == 0 || (cell.coordinates == cell.end && cell.parts == cell.parts_end)) continue;
    const std::int64_t held = identity_of(cell, code);
    const std::uint64_t value =
        held >= 0 ? mix(kHeld, s.colours[static_cast<std::size_t>(held)]) : mix(kField, code);
    // The colours on the path, in order: the same for all identities that occur here.
    std::uint64_t way = mix(cell.hash, value);
    for (std::uint32_t k = cell.coordinates; k < cell.end; ++k)
      way = mix(way, s.colours[coordinates_[k].identity]);
    const auto tell = [&](std::uint32_t identity, std::uint64_t role) {
      std::uint64_t told = mix(way, role);
      for (std::uint32_t k = cell.coordinates; k < cell.end; ++k)
        if (coordinates_[k].identity == identity) told = mix(told, kSame + k - cell.coordinates);
      if (held == static_cast<std::int64_t>(identity)) told = mix(told, kHeld);
      s.sums[identity] += told;
    };
    for (std::uint32_t k = cell.coordinates; k < cell.end; ++k)
      tell(coordinates_[k].identity, kIndexed + 0x100 * (k - cell.coordinates));
    if (held >= 0) tell(static_cast<std::uint32_t>(held), kHeld);
  }
}

void Symmetries::colour(Scratch& s) const {
  s.colours.resize(identities_);
  s.sums.resize(identities_);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    std::fill_n(s.colours.begin() + groups_[g].first, groups_[g].size, mix(kSlot, g));
  std::size_t distinct = groups_.size();
  for (;;) {
    std::fill(s.sums.begin(), s.sums.end(), 0);
    accumulate(s);
    for (std::uint32_t i = 0; i < identities_; ++i) s.colours[i] = mix(s.colours[i], s.sums[i]);
    if (!related_) return;
    s.sorted = s.colours;
    std::sort(s.sorted.begin(), s.sorted.end());
    const auto now =
        static_cast<std::size_t>(std::unique(s.sorted.begin(), s.sorted.end()) - s.sorted.begin());
    if (now == distinct || now == identities_) return;
    distinct = now;
  }
}

// The codes of the image of the state when identity i becomes to[i].
void Symmetries::permute(Scratch& s, const std::vector<std::uint32_t>& to,
                         std::vector<std::uint64_t>& out) const {
  out.resize(cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Cell& cell = cells_[c];
    auto target = static_cast<std::int64_t>(c);
    for (std::uint32_t k = cell.coordinates; k < cell.end; ++k) {
      const Coordinate& at = coordinates_[k];
      target +=
          (static_cast<std::int64_t>(to[at.identity]) - static_cast<std::int64_t>(at.identity)) *
          at.stride;
    }
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
  s.swap.resize(identities_);
  std::iota(s.swap.begin(), s.swap.end(), 0U);
  std::swap(s.swap[a], s.swap[b]);
  permute(s, s.swap, s.image);
  if (s.image == s.codes) return true;
  if (bags_.empty()) return false;
  std::vector<Word> row(layout_.words());
  std::vector<Word> same(layout_.words());
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    store(row.data(), cells_[c], s.image[c]);
    store(same.data(), cells_[c], s.codes[c]);
  }
  sort_bags(bags_, row.data());
  sort_bags(bags_, same.data());
  return row == same;
}

void Symmetries::keep_if_less(Scratch& s) const {
  for (const Group& group : groups_)
    for (std::uint32_t p = 0; p < group.size; ++p) s.to[s.order[group.first + p]] = group.first + p;
  permute(s, s.to, s.image);
  s.row.assign(layout_.words(), 0);
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
  s.codes.resize(cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c)
    s.codes[c] = read_bits(row, cells_[c].bit, cells_[c].width) + (cells_[c].total ? 1 : 0);
}

void Symmetries::write(const std::vector<std::uint64_t>& codes, Word* row) const {
  for (std::size_t c = 0; c < cells_.size(); ++c)
    if (codes[c] != 0) store(row, cells_[c], codes[c]);
  sort_bags(bags_, row);
}

Symmetries::Permutation Symmetries::permutation(std::uint64_t seed) const {
  Permutation to(identities_);
  std::iota(to.begin(), to.end(), 0U);
  for (const Group& group : groups_)
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
  std::fill_n(row, layout_.words(), 0);
  write(s.image, row);
}

void Symmetries::canonical(Word* row) const {
  static thread_local Scratch s;
  read(s, row);
  colour(s);
  s.order.resize(identities_);
  s.to.resize(identities_);
  std::iota(s.order.begin(), s.order.end(), 0U);
  s.ties.clear();
  for (const Group& group : groups_) {
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
