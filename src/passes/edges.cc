#include "passes/edges.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {

void put_number(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t get_number(const std::uint8_t*& at) {
  std::uint64_t number = *at & 0x7f;
  for (unsigned shift = 7; (*at++ & 0x80) != 0; shift += 7)
    number |= std::uint64_t{*at & 0x7fU} << shift;
  return number;
}

std::uint64_t with_sign(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
std::uint64_t without_sign(std::uint64_t number) { return number >> 1 ^ (0 - (number & 1)); }

}  // namespace

void EdgeBlock::begin(Rank first) {
  first_ = first;
  ends_.clear();
  targets_.clear();
}

void EdgeBlock::add(std::span<const Rank> targets) {
  const auto begin = static_cast<std::ptrdiff_t>(targets_.size());
  targets_.insert(targets_.end(), targets.begin(), targets.end());
  std::sort(targets_.begin() + begin, targets_.end());
  targets_.erase(std::unique(targets_.begin() + begin, targets_.end()), targets_.end());
  ends_.push_back(targets_.size());
}

Rank Edges::end(std::size_t block) const { return std::min(begin(block + 1), nodes_); }

void Edges::put(std::size_t block, const EdgeBlock& from) {
  SPILLWAY_CHECK(from.first() == begin(block) && from.size() == end(block) - begin(block));
  std::vector<std::uint8_t> bytes;
  Rank before = from.first();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::span<const Rank> targets = from.targets(i);
    put_number(bytes, targets.size());
    if (targets.empty()) continue;
    put_number(bytes, with_sign(targets[0] - before));
    before = targets[0];
    for (std::size_t k = 1; k < targets.size(); ++k)
      put_number(bytes, targets[k] - targets[k - 1] - 1);
  }
  Packed& packed = blocks_[block];
  packed.claim = Claim(budget_, bytes.size() + sizeof(Packed));
  packed.edges = from.edges();
  packed.bytes.assign(bytes.begin(), bytes.end());  // without spare room
}

void Edges::unpack(std::size_t block, EdgeBlock& out) const {
  const Packed& packed = blocks_[block];
  out.begin(begin(block));
  out.targets_.resize(packed.edges);
  out.ends_.resize(end(block) - begin(block));
  const std::uint8_t* at = packed.bytes.data();
  Rank before = out.first_;
  Rank* target = out.targets_.data();
  for (std::size_t& end : out.ends_) {
    const std::uint64_t count = get_number(at);
    if (count != 0) {
      before += without_sign(get_number(at));
      *target++ = before;
      for (std::uint64_t k = 1; k < count; ++k, ++target) *target = target[-1] + get_number(at) + 1;
    }
    end = static_cast<std::size_t>(target - out.targets_.data());
  }
}

std::uint64_t Edges::edges() const {
  std::uint64_t all = 0;
  for (const Packed& packed : blocks_) all += packed.edges;
  return all;
}

std::uint64_t Edges::bytes() const {
  std::uint64_t all = 0;
  for (const Packed& packed : blocks_) all += packed.bytes.size();
  return all;
}

}  // namespace spillway
