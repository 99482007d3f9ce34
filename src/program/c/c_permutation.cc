#include "program/c/c_permutation.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/c/c_symmetry_text.h"

namespace spillway::program {
namespace {

constexpr unsigned kMostBlockBits = 56;

}  // namespace

CPermutation::CPermutation(const SymmetricCells& cells) : cells_(cells), fixed_(cells.words()) {
  for (std::size_t c = 0; c < cells_.cells().size(); ++c) {
    const SymmetricCells::Cell& cell = cells_.cells()[c];
    const std::vector<Index> at = indices(c);
    if (at.empty()) {
      for (std::uint64_t bit = cell.bit; bit < cell.bit + cell.width; ++bit)
        fixed_[bit / 64] |= std::uint64_t{1} << bit % 64;
      continue;
    }
    for (unsigned done = 0; done < cell.width; done += kMostBlockBits)
      add(cell.bit + done, std::min(cell.width - done, kMostBlockBits), at);
  }
}

// A stride in cells is one in bits: all elements of an array are alike.
std::vector<CPermutation::Index> CPermutation::indices(std::size_t c) const {
  std::vector<Index> all;
  for (const auto& at : cells_.coordinates(cells_.cells()[c])) {
    const bool last = at.identity + 1 == group_of(at.identity).first + group_of(at.identity).size;
    const std::int64_t other = static_cast<std::int64_t>(c) + (last ? -at.stride : at.stride);
    const std::uint64_t there = cells_.cells()[static_cast<std::size_t>(other)].bit;
    const std::uint64_t here = cells_.cells()[c].bit;
    all.push_back({at.identity, static_cast<std::int64_t>(last ? here - there : there - here)});
  }
  return all;
}

const SymmetricCells::Group& CPermutation::group_of(std::uint32_t identity) const {
  std::size_t group = cells_.groups().size() - 1;
  while (cells_.groups()[group].first > identity) --group;
  return cells_.groups()[group];
}

void CPermutation::add(std::uint64_t bit, unsigned width, const std::vector<Index>& at) {
  if (!blocks_.empty()) {
    Block& last = blocks_.back();
    if (last.bit + last.width == bit && last.at == at && last.width + width <= kMostBlockBits) {
      last.width += width;
      return;
    }
  }
  blocks_.push_back({bit, width, at});
}

// The word in which the block is, wherever it goes.
std::uint64_t CPermutation::word_of(const Block& block) const {
  auto first = static_cast<std::int64_t>(block.bit);
  std::int64_t last = first + block.width - 1;
  for (const Index& at : block.at) {
    const SymmetricCells::Group& group = group_of(at.identity);
    first -= static_cast<std::int64_t>(at.identity - group.first) * at.stride;
    last += static_cast<std::int64_t>(group.first + group.size - 1 - at.identity) * at.stride;
  }
  return first / 64 == last / 64 ? static_cast<std::uint64_t>(first / 64) : kManyWords;
}

std::vector<CPermutation::Family> CPermutation::families() const {
  std::vector<Family> all;
  for (const Block& block : blocks_) {
    Family wanted{block.width, {}, word_of(block), {}};
    for (const Index& at : block.at) wanted.strides.push_back(at.stride);
    const auto same = [&](const Family& family) {
      return family.width == wanted.width && family.strides == wanted.strides &&
             family.word == wanted.word;
    };
    auto family = std::find_if(all.begin(), all.end(), same);
    if (family == all.end()) family = all.insert(family, std::move(wanted));
    family->blocks.push_back(&block);
  }
  return all;
}

// What comes to a block is read from where it was.
void CPermutation::move(std::string& out) const {
  const std::vector<Family> all = families();
  std::string body;
  for (std::size_t f = 0; f < all.size(); ++f) {
    const std::size_t indices = all[f].strides.size();
    std::vector<std::uint64_t> bits, at;
    for (const Block* block : all[f].blocks) {
      bits.push_back(block->bit);
      for (const Index& index : block->at) at.push_back(index.identity);
    }
    out += c_table("uint32_t", fmt::format("m{}_bit", f), bits) +
           c_table("uint16_t", fmt::format("m{}_at", f), at);
    std::string place = fmt::format("m{}_bit[k]", f);
    for (std::size_t k = 0; k < indices; ++k)
      place += fmt::format(" + (B)(from[m{0}_at[{1} * k + {2}]] - m{0}_at[{1} * k + {2}]) * {3}u",
                           f, indices, k, all[f].strides[k]);
    const std::string mask = fmt::format("{:#x}u", ~std::uint64_t{0} >> (64 - all[f].width));
    const std::string word =
        all[f].word == kManyWords
            ? fmt::format("ld(t, {}, {})", place, all[f].width)
            : fmt::format("(t[{}] >> (({}) & 63) & {})", all[f].word, place, mask);
    body += fmt::format("{}  for (B k = 0; k < {}; ++k) exchange(out, m{}_bit[k], {}, {});\n",
                        c_unroll(bits.size(), cells_), bits.size(), f, all[f].width, word);
  }
  out += c_table("W", "fixed", fixed_);
  out +=
      "IN void move_blocks(const W *restrict t, const uint16_t *restrict from, W *restrict out) "
      "{\n";
  out += "  for (B i = 0; i < N; ++i) out[i] = t[i] & fixed[i];\n  out[N] = 0;\n  (void)from;\n";
  out += body + "}\n";
}

void CPermutation::rename(std::string& out) const {
  struct Shape {
    unsigned width;
    bool total;
    std::vector<SymmetricCells::CodeRange> parts;
    std::vector<std::uint64_t> bits;
  };
  std::vector<Shape> shapes;
  for (const SymmetricCells::Cell& cell : cells_.cells()) {
    const auto parts = cells_.parts(cell);
    if (parts.empty()) continue;
    const auto same = [&](const Shape& shape) {
      return shape.width == cell.width && shape.total == cell.total &&
             std::equal(parts.begin(), parts.end(), shape.parts.begin(), shape.parts.end());
    };
    auto shape = std::find_if(shapes.begin(), shapes.end(), same);
    if (shape == shapes.end())
      shape = shapes.insert(shape, Shape{cell.width, cell.total, {parts.begin(), parts.end()}, {}});
    shape->bits.push_back(cell.bit);
  }
  std::string body;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const Shape& shape = shapes[s];
    out += c_table("uint32_t", fmt::format("h{}_bit", s), shape.bits);
    std::string one = fmt::format("    const W f = field(out, h{}_bit[k], {});\n    W new = f;\n",
                                  s, shape.width);
    for (const SymmetricCells::CodeRange& part : shape.parts)
      one += fmt::format("    if (f - {0}u <= {1}u) new = to[f - {0}u + {2}] - {2}u + {0}u;\n",
                         part.first_code - (shape.total ? 1 : 0), part.last_code - part.first_code,
                         part.first_identity);
    one += fmt::format("    exchange(out, h{}_bit[k], {}, f ^ new);\n", s, shape.width);
    body += shape.total
                ? fmt::format("  for (B k = 0; k < {}; ++k) {{\n{}  }}\n", shape.bits.size(), one)
                : c_for_nonzero(shape.bits, shape.width, "out", one, cells_);
  }
  out += "IN void rename_held(const uint16_t *restrict to, W *restrict out) {\n";
  out += "  (void)to; (void)out;\n" + body + "}\n";
}

void CPermutation::sort(std::string& out) const {
  std::uint64_t most = 1;
  for (const PackedBag& bag : cells_.bags()) most = std::max(most, bag.capacity);
  out += "IN void sort_all(W *out) {\n  (void)out;\n";
  if (!cells_.bags().empty()) out += fmt::format("  W slots[{}];\n  (void)slots;\n", most);
  for (const PackedBag& bag : cells_.bags())
    out += bag.slot_bits <= kMostBlockBits ? fmt::format("  sort_slots(out, {}, {}, {}, slots);\n",
                                                         bag.bit, bag.slot_bits, bag.capacity)
                                           : fmt::format("  sort_bag(out, {}, {}, {});\n", bag.bit,
                                                         bag.slot_bits, bag.capacity);
  out += "}\n";
}

// Of two identities that no cell holds, equal blocks say whether they are alike.
void CPermutation::compare(std::string& out) const {
  constexpr std::uint32_t kMostNoted = 63;
  const bool tell = cells_.identities() <= kMostNoted &&
                    std::all_of(blocks_.begin(), blocks_.end(),
                                [](const Block& block) { return block.at.size() == 1; });
  out += fmt::format("#define BLOCKS_TELL {}\n", tell ? 1 : 0);
  out += "IN int same_blocks(const W *t, unsigned g, unsigned a, unsigned b) {\n";
  out += "  (void)t; (void)g; (void)a; (void)b;\n";
  for (std::size_t g = 0; tell && g < cells_.groups().size(); ++g) {
    std::string all;
    for (const Block& block : blocks_)
      if (block.at[0].identity == cells_.groups()[g].first)
        all += fmt::format(
            " && ld(t, {0} + (a - {1}) * {2}u, {3}) == ld(t, {0} + (b - {1}) * {2}u, {3})",
            block.bit, cells_.groups()[g].first, block.at[0].stride, block.width);
    out += fmt::format("  if (g == {}) return 1{};\n", g, all);
  }
  out += "  return 0;\n}\n";
}

std::string CPermutation::text() const {
  std::string out;
  move(out);
  rename(out);
  sort(out);
  compare(out);
  return out;
}

}  // namespace spillway::program
