#include "passes/edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"
#include "base/process/identity.h"
#include "passes/packed_numbers.h"

namespace spillway {
namespace {

// Numbers of a few bits each, one after the other, the lowest bits of a byte first.
unsigned bits_for(std::size_t different) {
  return static_cast<unsigned>(std::bit_width(different - 1));
}

void put_bits(std::vector<std::uint8_t>& bytes, std::size_t start, std::uint64_t at,
              std::uint64_t number, unsigned bits) {
  for (unsigned i = 0; i < bits; ++i, ++at) {
    if (start + at / 8 == bytes.size()) bytes.push_back(0);
    bytes[start + at / 8] |= static_cast<std::uint8_t>((number >> i & 1) << at % 8);
  }
}

std::uint64_t get_bits(const std::uint8_t* bytes, std::uint64_t at, unsigned bits) {
  std::uint64_t number = 0;
  for (unsigned i = 0; i < bits; ++i, ++at)
    number |= std::uint64_t{bytes[at / 8] >> at % 8 & 1U} << i;
  return number;
}

void put_marks(std::vector<std::uint8_t>& bytes, const std::vector<SetMask>& marks) {
  std::vector<SetMask> different = marks;
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  put_number(bytes, different.size());
  for (const SetMask mark : different) put_number(bytes, mark);
  const std::size_t start = bytes.size();
  const unsigned bits = bits_for(different.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto place = std::ranges::lower_bound(different, marks[i]) - different.begin();
    put_bits(bytes, start, i * bits, static_cast<std::uint64_t>(place), bits);
  }
}

void get_marks(const std::uint8_t* at, std::vector<SetMask>& marks) {
  std::vector<SetMask> different(get_number(at));
  for (SetMask& mark : different) mark = get_number(at);
  const unsigned bits = bits_for(different.size());
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = different[get_bits(at, i * bits, bits)];
}

// Reads a packed block that may be anything, and says whether it can be unpacked.
class BlockInspection {
 public:
  BlockInspection(std::span<const std::uint8_t> bytes, Node first, Node targets)
      : rest_(bytes), before_(first), targets_(targets) {}

  bool has(std::uint64_t nodes, std::uint64_t edges, bool with_marks) {
    for (; nodes > 0; --nodes)
      if (!take_node(edges)) return false;
    return edges == 0 && (with_marks ? take_marks() : rest_.empty());
  }

 private:
  bool take(std::uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const std::uint8_t byte = rest_.front();
      rest_ = rest_.subspan(1);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }

  bool take_node(std::uint64_t& edges) {
    std::uint64_t count = 0;
    std::uint64_t number = 0;
    if (!take(count) || count > edges) return false;
    edges -= count;
    all_ += count;
    if (count == 0) return true;
    if (!take(number)) return false;
    before_ += without_sign(number);
    Node target = before_;
    for (std::uint64_t k = 1; target < targets_; ++k) {
      if (k == count) return true;
      if (!take(number) || number >= targets_) return false;
      target += number + 1;
    }
    return false;
  }

  bool take_marks() {
    std::uint64_t different = 0;
    std::uint64_t mark = 0;
    if (!take(different) || different == 0 || different > all_) return false;
    for (std::uint64_t i = 0; i < different; ++i)
      if (!take(mark)) return false;
    const unsigned bits = bits_for(different);
    if (rest_.size() != (all_ * bits + 7) / 8) return false;
    for (std::uint64_t i = 0; i < all_; ++i)
      if (get_bits(rest_.data(), i * bits, bits) >= different) return false;
    return true;
  }

  std::span<const std::uint8_t> rest_;
  Node before_;
  const Node targets_;
  std::uint64_t all_ = 0;  // edges
};

[[noreturn]] void refuse_edges() {
  throw Error(Fault::integrity, "the file of edges has something else in it");
}

using BlockHead = std::array<std::uint64_t, 4>;  // edges, common, all, bytes

template <class Numbers>
std::span<std::uint8_t> bytes_of_numbers(Numbers& numbers) {
  return {reinterpret_cast<std::uint8_t*>(numbers.data()), sizeof numbers};
}

}  // namespace

void EdgeBlock::begin(Node first) {
  first_ = first;
  ends_.clear();
  targets_.clear();
  marks_.clear();
}

void EdgeBlock::add(std::span<const Node> targets, std::span<const SetMask> marks) {
  unsorted_.clear();
  for (std::size_t i = 0; i < targets.size(); ++i) unsorted_.emplace_back(targets[i], marks[i]);
  std::ranges::sort(unsorted_);
  const std::size_t begin = targets_.size();
  for (const auto& [target, mark] : unsorted_) {
    if (targets_.size() > begin && targets_.back() == target) {
      marks_.back() |= mark;
      continue;
    }
    targets_.push_back(target);
    marks_.push_back(mark);
  }
  ends_.push_back(targets_.size());
}

void EdgeBlock::add(std::span<const Node> targets, SetMask mark) {
  const auto begin = static_cast<std::ptrdiff_t>(targets_.size());
  targets_.insert(targets_.end(), targets.begin(), targets.end());
  std::sort(targets_.begin() + begin, targets_.end());
  targets_.erase(std::unique(targets_.begin() + begin, targets_.end()), targets_.end());
  marks_.resize(targets_.size(), mark);
  ends_.push_back(targets_.size());
}

void EdgeBlock::copy_within(const BitVector& set, const EdgeBlock& from) {
  begin(from.first());
  const bool with_marks = from.marks_.size() == from.targets_.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t first = i == 0 ? 0 : from.ends_[i - 1];
    if (set.get(from.first() + i))
      for (std::size_t k = first; k < from.ends_[i]; ++k) {
        if (!set.get(from.targets_[k])) continue;
        targets_.push_back(from.targets_[k]);
        marks_.push_back(with_marks ? from.marks_[k] : 0);
      }
    ends_.push_back(targets_.size());
  }
}

void Edges::extend(std::uint64_t nodes) {
  nodes_ = nodes;
  blocks_.resize((nodes + block_nodes_ - 1) / block_nodes_);
}

void Edges::clear() {
  nodes_ = 0;
  blocks_.clear();
  spilled_->file.reset();
}

Node Edges::end(std::size_t block) const { return std::min(begin(block + 1), nodes_); }

PackedEdges Edges::packed(std::size_t block, const EdgeBlock& from) const {
  SPILLWAY_CHECK(from.first() == begin(block) && from.size() == end(block) - begin(block));
  PackedEdges packed;
  Node before = from.first();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::span<const Node> targets = from.targets(i);
    put_number(packed.bytes, targets.size());
    if (targets.empty()) continue;
    put_number(packed.bytes, with_sign(targets[0] - before));
    before = targets[0];
    for (std::size_t k = 1; k < targets.size(); ++k)
      put_number(packed.bytes, targets[k] - targets[k - 1] - 1);
  }
  for (const SetMask mark : from.marks_) {
    packed.common &= mark;
    packed.all |= mark;
  }
  if (from.edges() != 0 && packed.common != packed.all) put_marks(packed.bytes, from.marks_);
  packed.edges = from.edges();
  return packed;
}

// In memory, or on disk if that leaves too little.
void Edges::put(std::size_t block, const PackedEdges& from) {
  Packed& packed = blocks_[block];
  packed.common = from.common;
  packed.all = from.all;
  packed.edges = from.edges;
  packed.size = from.bytes.size();
  packed.bytes = {};
  if (room_.disk != nullptr && budget_.left() < packed.size + room_.reserve_bytes) {
    packed.claim = Claim(budget_, sizeof(Packed));
    packed.at = file().append(from.bytes);
    return;
  }
  packed.claim = Claim(budget_, packed.size + sizeof(Packed));
  packed.bytes.assign(from.bytes.begin(), from.bytes.end());  // without spare room
}

void Edges::put_checked(std::size_t block, const PackedEdges& from, Node targets) {
  if (!can_be_unpacked(block, from, targets))
    throw Error(Fault::integrity, "edges have arrived that are none");
  put(block, from);
}

bool Edges::can_be_unpacked(std::size_t block, const PackedEdges& from, Node targets) const {
  const bool with_marks = from.edges != 0 && from.common != from.all;
  return BlockInspection(from.bytes, begin(block), targets)
      .has(end(block) - begin(block), from.edges, with_marks);
}

ByteFile& Edges::file() {
  const std::lock_guard lock(spilled_->mutex);
  if (!spilled_->file)
    spilled_->file.emplace(*room_.disk, budget_, fmt::format("edges-{:016x}", drawn_number()),
                           room_.block_bytes);
  return *spilled_->file;
}

const std::uint8_t* Edges::bytes_of(const Packed& packed, EdgeBlock& out) const {
  if (packed.size == packed.bytes.size()) return packed.bytes.data();
  if (!out.reader_) out.reader_.emplace(*spilled_->file, budget_);
  out.bytes_.resize(packed.size);
  out.reader_->read(packed.at, out.bytes_);
  return out.bytes_.data();
}

void Edges::unpack(std::size_t block, EdgeBlock& out, bool with_marks) const {
  const Packed& packed = blocks_[block];
  out.begin(begin(block));
  out.targets_.resize(packed.edges);
  out.ends_.resize(end(block) - begin(block));
  if (packed.size == 0) {  // it was never put
    std::ranges::fill(out.ends_, 0);
    return;
  }
  const std::uint8_t* at = bytes_of(packed, out);
  Node before = out.first_;
  Node* target = out.targets_.data();
  for (std::size_t& end : out.ends_) {
    const std::uint64_t count = get_number(at);
    if (count != 0) {
      before += without_sign(get_number(at));
      *target++ = before;
      for (std::uint64_t k = 1; k < count; ++k, ++target) *target = target[-1] + get_number(at) + 1;
    }
    end = static_cast<std::size_t>(target - out.targets_.data());
  }
  if (!with_marks) return;
  out.marks_.assign(packed.edges, packed.all);
  if (packed.edges != 0 && packed.common != packed.all) get_marks(at, out.marks_);
}

void Edges::save(const std::function<void(std::span<const std::uint8_t>)>& put) const {
  std::array<std::uint64_t, 2> size = {nodes_, block_nodes_};
  put(bytes_of_numbers(size));
  EdgeBlock out;
  for (const Packed& packed : blocks_) {
    BlockHead head = {packed.edges, packed.common, packed.all, packed.size};
    put(bytes_of_numbers(head));
    put({bytes_of(packed, out), packed.size});
  }
}

void Edges::load(const std::function<void(std::span<std::uint8_t>)>& get, Node targets) {
  std::array<std::uint64_t, 2> size = {};
  get(bytes_of_numbers(size));
  if (size[1] != block_nodes_ || size[0] > targets) refuse_edges();
  extend(size[0]);
  // A number has at most ten bytes; marks have as many for each edge, twice.
  constexpr std::uint64_t kMostOfEdge = 30;
  PackedEdges packed;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    BlockHead head = {};
    get(bytes_of_numbers(head));
    packed.edges = head[0];
    packed.common = head[1];
    packed.all = head[2];
    const std::uint64_t nodes = end(i) - begin(i);
    if (packed.edges > nodes * targets || head[3] > 10 * (nodes + 1) + kMostOfEdge * packed.edges)
      refuse_edges();
    const Claim room(budget_, head[3]);
    packed.bytes.resize(head[3]);
    get(packed.bytes);
    if (!can_be_unpacked(i, packed, targets)) refuse_edges();
    put(i, packed);
  }
  settle();
}

std::uint64_t Edges::edges() const {
  std::uint64_t all = 0;
  for (const Packed& packed : blocks_) all += packed.edges;
  return all;
}

std::uint64_t Edges::bytes() const {
  std::uint64_t all = 0;
  for (const Packed& packed : blocks_) all += packed.size;
  return all;
}

}  // namespace spillway
