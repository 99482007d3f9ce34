#include "program/c/c_symmetry_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::program {
namespace {

constexpr std::size_t kMostCells = 160;  // of a small state

// One look at all fields that lie within a word.
std::string for_each_span(const std::vector<std::uint64_t>& bits, unsigned width,
                          const std::string& row, const std::string& body) {
  std::vector<std::uint64_t> first, wide, from;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!first.empty() && bits[i] >= first.back() && bits[i] + width - first.back() <= 64) {
      wide.back() = std::max(wide.back(), bits[i] + width - first.back());
      continue;
    }
    first.push_back(bits[i]);
    wide.push_back(width);
    from.push_back(i);
  }
  from.push_back(bits.size());
  return fmt::format(
      "  {{\n  {}  {}  {}  for (B s = 0; s < {}; ++s) {{\n"
      "    if (field({}, first[s], wide[s]) == 0) continue;\n"
      "    for (B k = from[s]; k < from[s + 1]; ++k) {{\n{}    }}\n  }}\n  }}\n",
      c_table("uint32_t", "first", first), c_table("uint8_t", "wide", wide),
      c_table("uint16_t", "from", from), first.size(), row, body);
}

}  // namespace

bool is_large(const SymmetricCells& cells) { return cells.cells().size() > kMostCells; }

std::string c_table(std::string_view type, const std::string& name,
                    const std::vector<std::uint64_t>& numbers) {
  std::string out = fmt::format("static const {} {}[] __attribute__((unused)) = {{", type, name);
  for (const std::uint64_t number : numbers) out += fmt::format("{:#x}u,", number);
  return out + "};\n";
}

std::string c_unroll(std::size_t turns, const SymmetricCells& cells) {
  constexpr std::size_t kMostUnrolled = 64;
  if (turns > kMostUnrolled || is_large(cells)) return "";
  return fmt::format("#pragma GCC unroll {}\n", kMostUnrolled);
}

// Fields that follow each other are often all undefined: a message that is not there.  One look at
// a few of them saves going through each.
std::string c_for_nonzero(const std::vector<std::uint64_t>& bits, unsigned width,
                          const std::string& row, const std::string& body,
                          const SymmetricCells& cells) {
  if (is_large(cells)) return for_each_span(bits, width, row, body);
  constexpr std::size_t kMostTogether = 4;
  constexpr std::uint64_t kMostBits = 64;
  const auto loop = [&](std::size_t from, std::size_t to) {
    return fmt::format("{}  for (B k = {}; k < {}; ++k) {{\n{}  }}\n", c_unroll(to - from, cells),
                       from, to, body);
  };
  if (c_unroll(bits.size(), cells).empty()) return loop(0, bits.size());
  std::string out;
  for (std::size_t from = 0, to; from < bits.size(); from = to) {
    to = from + 1;
    while (to < bits.size() && to - from < kMostTogether && bits[to] == bits[to - 1] + width &&
           bits[to] + width - bits[from] <= kMostBits)
      ++to;
    out += to - from == 1
               ? loop(from, to)
               : fmt::format("  if (field({}, {}, {}) != 0) {{\n{}  }}\n", row, bits[from],
                             bits[to - 1] + width - bits[from], loop(from, to));
  }
  return out;
}

const std::string_view kBeforeSymmetry = R"c(
IN W scatter(W x) {
  x *= UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 29;
}
IN W mix(W a, W b) { return scatter(a * UINT64_C(0x9e3779b97f4a7c15) + b); }
IN W field(const W *t, B bit, unsigned width) {
  const W *p = t + (bit >> 6);
  const unsigned shift = bit & 63;
  const W w = shift + width <= 64 ? p[0] >> shift : p[0] >> shift | p[1] << (64 - shift);
  return w & (~(W)0 >> (64 - width));
}
/* REQUIRES: the bits there are 0, or those that shall be changed in `w`. */
IN void exchange(W *t, B bit, unsigned width, W w) {
  W *p = t + (bit >> 6);
  const unsigned shift = bit & 63;
  p[0] ^= w << shift;
  if (shift + width > 64) p[1] ^= w >> (64 - shift);
}
/* As sort_bag(), for slots that fit in a word. */
IN void sort_slots(W *restrict t, B bit, unsigned width, B capacity, W *restrict slots) {
  for (B i = 0; i < capacity; ++i) {
    const W slot = field(t, bit + i * width, width);
    B j = i;
    for (; j > 0 && slots[j - 1] < slot; --j) slots[j] = slots[j - 1];
    slots[j] = slot;
  }
  for (B i = 0; i < capacity; ++i)
    exchange(t, bit + i * width, width, slots[i] ^ field(t, bit + i * width, width));
}
typedef struct group { unsigned first, size; } group;
)c";

const std::string_view kCanonical = R"c(
/* The place of each identity in the order of colours, and the number of colours. */
IN unsigned order_of(const W *restrict c, uint16_t *restrict to) {
  unsigned colours = I;
  for (unsigned g = 0; g < GROUPS; ++g) {
    const unsigned first = groups[g].first, end = first + groups[g].size;
    for (unsigned i = first; i < end; ++i) to[i] = first;
    for (unsigned i = first + 1; i < end; ++i) {
      unsigned place = to[i], again = 0;
      for (unsigned j = first; j < i; ++j) {
        const unsigned less = c[i] < c[j];
        to[j] += less;
        place += 1 - less;
        again |= c[i] == c[j];
      }
      to[i] = place;
      colours -= again;
    }
  }
  return colours;
}

static unsigned colour(const W *restrict t, W *restrict c, uint16_t *restrict to, W *restrict noted) {
  W sums[I + 1];
  memset(sums, 0, sizeof sums);
  memcpy(c, first_colour, I * sizeof(W));
  *noted = first_round(t, sums);
  for (unsigned before = GROUPS;;) {
    for (unsigned i = 0; i < I; ++i) c[i] = mix(c[i], sums[i]);
    const unsigned colours = order_of(c, to);
    if (!RELATED || colours == before || colours == I) return colours;
    before = colours;
    W held[I + 1];
    for (unsigned i = 0; i < I; ++i) held[i] = mix(HELD, c[i]);
    memset(sums, 0, sizeof sums);
    next_round(t, c, held, sums);
  }
}

static __attribute__((noinline)) void permute(const W *restrict t, const uint16_t *restrict from, W *restrict out) {
  uint16_t to[I];
  for (unsigned i = 0; i < I; ++i) to[from[i]] = i;
  move_blocks(t, from, out);
  rename_held(to, out);
  sort_all(out);
}

/* Whether exchanging two identities of a group changes nothing. */
static int alike(const W *restrict t, W noted, unsigned g, unsigned a, unsigned b) {
  if (BLOCKS_TELL && ((noted >> (a & 63) | noted >> (b & 63)) & 1) == 0) return same_blocks(t, g, a, b);
  uint16_t from[I];
  W image[N + 1];
  for (unsigned i = 0; i < I; ++i) from[i] = i;
  from[a] = b;
  from[b] = a;
  permute(t, from, image);
  return memcmp(t, image, N * sizeof(W)) == 0;
}

static int next_order(uint16_t *p, unsigned size) {
  unsigned i = size - 1;
  while (i > 0 && p[i - 1] > p[i]) --i;
  unsigned j = size - 1;
  if (i > 0) {
    while (p[j] < p[i - 1]) --j;
    const uint16_t other = p[j];
    p[j] = p[i - 1];
    p[i - 1] = other;
  }
  for (unsigned a = i, b = size - 1; a < b; ++a, --b) {
    const uint16_t other = p[a];
    p[a] = p[b];
    p[b] = other;
  }
  return i > 0;
}

IN int is_less(const W *a, const W *b) {
  for (B i = 0; i < N; ++i)
    if (a[i] != b[i]) return a[i] < b[i];
  return 0;
}

/* The least image by any order of the tied identities. */
static __attribute__((noinline)) void try_orders(const W *restrict t, uint16_t *restrict from, const group *ties, unsigned count, W *restrict row) {
  W image[N + 1];
  permute(t, from, image);
  memcpy(row, image, N * sizeof(W));
  for (unsigned k = 0; k < count;) {
    if (!next_order(from + ties[k].first, ties[k].size)) { ++k; continue; }
    k = 0;
    permute(t, from, image);
    if (is_less(image, row)) memcpy(row, image, N * sizeof(W));
  }
}

__attribute__((visibility("default"))) void spillway_canonical(W *restrict row, int exhaustive) {
  W t[N + 1], c[I], noted;
  uint16_t to[I], from[I];
  memcpy(t, row, N * sizeof(W));
  t[N] = 0;
  const unsigned colours = colour(t, c, to, &noted);
  unsigned moved = 0;
  for (unsigned i = 0; i < I; ++i) {
    from[to[i]] = i;
    moved |= to[i] ^ i;
  }
  if (exhaustive && colours != I) {
    group ties[I];
    unsigned count = 0;
    for (unsigned g = 0; g < GROUPS; ++g) {
      const unsigned last = groups[g].first + groups[g].size;
      for (unsigned p = groups[g].first, end; p < last; p = end) {
        int same = 1;
        for (end = p + 1; end < last && c[from[end]] == c[from[p]]; ++end)
          same = same && alike(t, noted, g, from[end - 1], from[end]);
        if (!same) { ties[count].first = p; ties[count++].size = end - p; }
      }
    }
    if (count != 0) { try_orders(t, from, ties, count, row); return; }
  }
  if (!moved) return;
  W image[N + 1];
  permute(t, from, image);
  memcpy(row, image, N * sizeof(W));
}
)c";

}  // namespace spillway::program
