#include "storage/runs/mark_store.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::uint64_t kSmallPart = 32;  // of the budget
constexpr unsigned kWordBits = 32;
constexpr std::size_t kLeastBlock = 16;

}  // namespace

// Blocks are whole words, and several share a chunk.
std::size_t MarkStore::block_bytes_for(std::size_t chunk_bytes) {
  return std::clamp<std::size_t>(chunk_bytes / 4, kLeastBlock, MarkWriter::kMostBytes) / kU32Bytes *
         kU32Bytes;
}

MarkPlace MarkStore::keep(Bytes block) {
  const std::lock_guard lock(mutex_);
  if (claim_.bytes() == 0)
    claim_ = Claim(store_.budget(), std::max(store_.chunk_bytes(), block_bytes_));
  if (!open_.empty() && open_.size() + block.size() > store_.chunk_bytes()) close_chunk();
  open_.reserve(std::max(store_.chunk_bytes(), block.size()));
  const MarkPlace place{chunks_.size(), static_cast<std::uint32_t>(open_.size()),
                        static_cast<std::uint32_t>(block.size())};
  open_.insert(open_.end(), block.begin(), block.end());
  return place;
}

void MarkStore::close_chunk() {
  const Budget& budget = store_.budget();
  const bool plenty =
      budget.left() >= budget.limit() / 4 * 3 || in_memory_ < budget.limit() / kSmallPart;
  chunks_.push_back(writer_.put(open_, !plenty));
  if (chunks_.back().in_memory()) in_memory_ += open_.size();
  open_.clear();
}

const Chunks& MarkStore::finished_chunks() {
  if (!open_.empty()) close_chunk();
  writer_.finish();
  return chunks_;
}

MarkWriter::MarkWriter(MarkStore& store, const MarkCode& code)
    : store_(store),
      code_(code),
      claim_(store.budget(), store.block_bytes()),
      part_(store.budget()) {
  block_.reserve(store.block_bytes());
}

void MarkWriter::add(std::span<const std::uint8_t> marks) {
  for (const std::uint8_t mark : marks) {
    const MarkCode::Word& word = code_.of(mark);
    bits_ |= std::uint64_t{word.bits} << count_;
    count_ += word.length;
    if (count_ >= kWordBits) put_word();
  }
  part_.rows += marks.size();
}

void MarkWriter::put_word() {
  block_.resize(block_.size() + kU32Bytes);
  put_u32(block_.data() + block_.size() - kU32Bytes, bits_ & 0xffffffff);
  bits_ >>= kWordBits;
  count_ -= std::min(count_, kWordBits);
  if (block_.size() == store_.block_bytes()) close_block();
}

void MarkWriter::close_block() {
  part_.places.push_back(store_.keep(block_));
  block_.clear();
}

MarkedPart MarkWriter::finish() {
  if (count_ > 0) put_word();
  if (!block_.empty()) close_block();
  return std::exchange(part_, MarkedPart(store_.budget()));
}

MarkReader::MarkReader(MarkStore& store, const std::vector<MarkedPart>& parts, const MarkCode& code)
    : parts_(parts),
      meanings_(code.meanings()),
      ahead_(store.buffers(), 1),
      reader_(store.finished_chunks(), ahead_) {}

void MarkReader::begin_part() {
  if (part_ == parts_.size()) throw Error(Fault::integrity, "marks of a merge are missing");
  left_ = parts_[part_++].rows;
  place_ = 0;
  block_ = {};
  bits_ = 0;
  count_ = 0;
}

void MarkReader::fill() {
  const MarkedPart& part = parts_[part_ - 1];
  if (block_.empty() && place_ < part.places.size()) {
    const MarkPlace& place = part.places[place_++];
    const Bytes chunk = reader_.get(place.chunk);
    if (place.offset > chunk.size() || place.bytes > chunk.size() - place.offset)
      throw Error(Fault::integrity, "marks of a merge are truncated");
    block_ = chunk.subspan(place.offset, place.bytes);
  }
  if (!block_.empty()) {
    bits_ |= std::uint64_t{get_u32(block_.data())} << count_;
    block_ = block_.subspan(kU32Bytes);
  }
  count_ += kWordBits;
}

}  // namespace spillway
