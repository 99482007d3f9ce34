#include "storage/runs/packing/mark_code.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace spillway {
namespace {

// No mark is so rare that its code gets long: less than one in 256 + kMostMarks counts as that
// much, and a tree of that weight has less than kLongest levels.
constexpr std::uint64_t kRarest = 256;

struct Node {
  std::uint64_t weight;
  std::size_t parent;
};

// The length of each code.
std::vector<unsigned> lengths_of(std::span<const std::uint64_t> rows) {
  const std::uint64_t all = std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
  std::vector<Node> nodes;
  for (const std::uint64_t count : rows) nodes.push_back({std::max(count, all / kRarest + 1), 0});
  std::vector<std::size_t> roots(rows.size());
  std::iota(roots.begin(), roots.end(), std::size_t{0});
  const auto heavier = [&](std::size_t a, std::size_t b) {
    return nodes[a].weight != nodes[b].weight ? nodes[a].weight > nodes[b].weight : a > b;
  };
  while (roots.size() > 1) {
    std::sort(roots.begin(), roots.end(), heavier);  // few, and rarely
    const std::size_t a = roots.back();
    roots.pop_back();
    const std::size_t b = roots.back();
    nodes[a].parent = nodes[b].parent = nodes.size();
    roots.back() = nodes.size();
    nodes.push_back({nodes[a].weight + nodes[b].weight, 0});
  }
  std::vector<unsigned> depth(nodes.size());
  for (std::size_t i = nodes.size() - 1; i-- > 0;) depth[i] = depth[nodes[i].parent] + 1;
  depth.resize(rows.size());
  return depth;
}

std::uint16_t reversed(unsigned code, unsigned length) {
  unsigned out = 0;
  for (unsigned i = 0; i < length; ++i) out |= (code >> i & 1) << (length - 1 - i);
  return static_cast<std::uint16_t>(out);
}

}  // namespace

MarkCode::MarkCode(std::span<const std::uint64_t> rows) : marks_(rows.size()) {
  SPILLWAY_CHECK(marks_ >= 2 && marks_ <= kMostMarks);
  const std::vector<unsigned> lengths = lengths_of(rows);
  unsigned code = 0;
  for (unsigned length = 1; length <= kLongest; ++length) {
    for (std::size_t mark = 0; mark < marks_; ++mark)
      if (lengths[mark] == length)
        words_[mark] = {reversed(code++, length), static_cast<std::uint8_t>(length)};
    code <<= 1;
  }
  SPILLWAY_CHECK(*std::max_element(lengths.begin(), lengths.end()) <= kLongest);
}

std::vector<MarkCode::Meaning> MarkCode::meanings() const {
  std::vector<Meaning> all(std::size_t{1} << kLongest);
  for (std::size_t mark = 0; mark < marks_; ++mark)
    for (std::size_t i = words_[mark].bits; i < all.size();
         i += std::size_t{1} << words_[mark].length)
      all[i] = {static_cast<std::uint8_t>(mark), words_[mark].length};
  return all;
}

}  // namespace spillway
