#include "storage/sorted_run.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

template <std::size_t W>
void SortedRun<W>::append(SortedRun part) {
  const auto chunks = static_cast<std::uint32_t>(chunks_.size());
  for (Block block : part.blocks_) {
    block.chunk += chunks;
    blocks_.push_back(block);
  }
  firsts_.insert(firsts_.end(), part.firsts_.begin(), part.firsts_.end());
  std::move(part.chunks_.begin(), part.chunks_.end(), std::back_inserter(chunks_));
  rows_ += part.rows_;
}

template <std::size_t W>
std::size_t SortedRun<W>::block_of(const Word* row, std::size_t from) const {
  std::size_t step = 1;  // mostly the same block or one soon after it
  std::size_t low = from;
  while (low + step < blocks() && !below(row, first_row(low + step), width_)) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(blocks(), low + step);  // row is below its first row, or there is none
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (below(row, first_row(middle), width_) ? high : low) = middle;
  }
  return low;
}

template <std::size_t W>
std::size_t SortedRun<W>::next_chunk(std::size_t block) const {
  const std::uint32_t chunk = blocks_[block].chunk;
  while (block < blocks() && blocks_[block].chunk == chunk) ++block;
  return block;
}

template <std::size_t W>
std::uint64_t SortedRun<W>::packed_bytes() const {
  std::uint64_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.size();
  return bytes;
}

template <std::size_t W>
std::uint64_t SortedRun<W>::disk_bytes() const {
  std::uint64_t bytes = 0;
  for (const Chunk& chunk : chunks_) bytes += chunk.in_memory() ? 0 : chunk.size();
  return bytes;
}

template <std::size_t W>
bool SortedRun<W>::on_disk() const {
  return std::any_of(chunks_.begin(), chunks_.end(), [](const Chunk& chunk) { return !chunk.in_memory(); });
}

// ---------------------------------------------------------------------------------------------------- writer

template <std::size_t W>
RunWriter<W>::RunWriter(ChunkStore& store, BlockPacker<W>& packer, BlockKeeper* kept)
    : chunk_bytes_(store.chunk_bytes()), chunks_(store), kept_(kept), packer_(packer), run_(packer.shape()) {}

template <std::size_t W>
void RunWriter<W>::add(const Word* rows, std::size_t count) {
  const std::size_t words = run_.width_.words();
  const std::size_t full = run_.shape_.rows;
  while (count > 0) {
    if (waiting_.empty() && count >= full) {
      write_block(rows, full);
      rows += full * words;
      count -= full;
      continue;
    }
    const std::size_t some = std::min(count, full - waiting_.size() / words);
    waiting_.insert(waiting_.end(), rows, rows + some * words);
    rows += some * words;
    count -= some;
    if (waiting_.size() == full * words) {
      write_block(waiting_.data(), full);
      waiting_.clear();
    }
  }
}

template <std::size_t W>
void RunWriter<W>::write_block(const Word* rows, std::size_t count) {
  const Bytes bytes = packer_.pack(rows, count);
  if (kept_ != nullptr) kept_->keep(bytes);
  if (!chunk_.empty() && chunk_.size() + bytes.size() > chunk_bytes_) close_chunk();
  run_.firsts_.insert(run_.firsts_.end(), rows, rows + run_.width_.words());
  run_.blocks_.push_back({static_cast<std::uint32_t>(run_.chunks_.size()), static_cast<std::uint32_t>(chunk_.size()),
                          static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(count)});
  chunk_.insert(chunk_.end(), bytes.begin(), bytes.end());
  run_.rows_ += count;
}

template <std::size_t W>
void RunWriter<W>::close_chunk() {
  run_.chunks_.push_back(chunks_.put(chunk_));
  chunk_.clear();
}

template <std::size_t W>
SortedRun<W> RunWriter<W>::finish() {
  if (!waiting_.empty()) write_block(waiting_.data(), waiting_.size() / run_.width_.words());
  if (!chunk_.empty()) close_chunk();
  chunks_.finish();
  waiting_.clear();
  return std::exchange(run_, SortedRun<W>(run_.shape_));
}

// ---------------------------------------------------------------------------------------------------- readers

template <std::size_t W>
BlockUnpacker<W>& RunBlockReader<W>::open(std::size_t number) {
  const auto& block = run_->blocks_[number];
  unpacker_->open(chunks_.get(block.chunk).subspan(block.offset, block.bytes));
  return *unpacker_;
}

template <std::size_t W>
void RunBlockReader<W>::expect_from(std::size_t block, std::size_t end, std::size_t chunks) {
  for (; block < end && chunks > 0 && !expects_enough(); --chunks) {
    expect(block);
    block = run_->next_chunk(block);
  }
}

template <std::size_t W>
RunReader<W>::RunReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead, std::size_t chunks_ahead,
                        const Word* from, const Word* to)
    : run_(&run), reader_(run, unpacker, ahead), chunks_ahead_(chunks_ahead), end_(run.blocks()) {
  rows_.resize(run.shape().rows * run.shape().words);
  if (run.blocks() == 0) return;
  if (to != nullptr) end_ = run.block_of(to) + 1;
  if (from == nullptr) return;
  block_ = run.block_of(from);
  fill();
  const std::size_t words = run.width().words();
  while (at_ < count_ && below(rows_.data() + at_ * words, from, run.width())) ++at_;
}

template <std::size_t W>
void RunReader<W>::fill() {
  BlockUnpacker<W>& block = reader_.open(block_);
  reader_.expect_from(++block_, end_, chunks_ahead_);
  block.unpack(rows_.data());
  count_ = block.rows();
  at_ = 0;
}

template <std::size_t W>
const Word* RunReader<W>::ahead(std::size_t rows) const {
  const std::size_t blocks = std::max<std::size_t>(2, rows / run_->shape().rows);
  const std::size_t stop = block_ + blocks - (at_ != count_ ? 2 : 1);  // one of the blocks may be open
  return stop < run_->blocks() ? run_->first_row(stop) : nullptr;
}

template <std::size_t W>
Word* RunReader<W>::take_below(const Word* limit, Word* out) {
  const std::size_t words = run_->width().words();
  for (;;) {
    const Word* const begin = rows_.data() + at_ * words;
    const Word* const end = rows_.data() + count_ * words;
    const Word* row = begin;
    if (limit == nullptr || (begin != end && below(end - words, limit, run_->width()))) {
      row = end;
    } else {
      while (row != end && below(row, limit, run_->width())) row += words;
    }
    out = std::copy(begin, row, out);
    at_ = static_cast<std::size_t>(row - rows_.data()) / words;
    if (row != end || block_ == run_->blocks()) return out;
    if (limit != nullptr && !below(run_->first_row(block_), limit, run_->width())) return out;
    fill();
  }
}

// Reading of the chunks begins in which rows from `row` on could be, as many as are read ahead; the row that is next.
template <std::size_t W>
const Word* RunSieve<W>::expect_some(const Word* row, const Word* end) {
  while (row != end && !reader_.expects_enough()) {
    expected_ = run_->block_of(row, expected_);
    reader_.expect(expected_);
    expected_ = run_->next_chunk(expected_);
    if (expected_ == run_->blocks()) return end;
    row = lower_bound(row, end, run_->first_row(expected_), run_->width());
  }
  return row;
}

template <std::size_t W>
void RunSieve<W>::foresee(const Word* rows, const Word* end) {
  if (run_->blocks() == 0 || reader_.expects_enough()) return;
  if (foreseen_ == nullptr) {
    foreseen_ = rows;
    expected_ = block_;
  }
  if (foreseen_ < end && expected_ < run_->blocks()) foreseen_ = expect_some(foreseen_, end);
}

template <std::size_t W>
std::size_t RunSieve<W>::sieve(Word* rows, std::size_t count, RunSieve* next) {
  foreseen_ = nullptr;
  if (run_->blocks() == 0) return count;
  const std::size_t words = run_->width().words();
  const Word* row = rows;
  const Word* const end = rows + count * words;
  const Word* unexpected = rows;
  Word* out = rows;
  expected_ = block_;
  while (row != end) {
    unexpected = expect_some(unexpected, end);
    if (unexpected == end && next != nullptr) next->foresee(rows, out);
    block_ = run_->block_of(row, block_);
    const Word* const limit = block_ + 1 < run_->blocks() ? run_->first_row(block_ + 1) : nullptr;
    const Word* last = row + words;  // of those that could be in this block
    while (last != end && (limit == nullptr || below(last, limit, run_->width()))) last += words;
    BlockUnpacker<W>& block = reader_.open(block_);
    out = block.subtract(row, last, out);
    row = last;
  }
  return static_cast<std::size_t>(out - rows) / words;
}

#define SPILLWAY_WIDTH(W)           \
  template class SortedRun<W>;      \
  template class RunWriter<W>;      \
  template class RunBlockReader<W>; \
  template class RunReader<W>;      \
  template class RunSieve<W>;
SPILLWAY_WIDTH(0)
SPILLWAY_WIDTH(1)
SPILLWAY_WIDTH(2)
SPILLWAY_WIDTH(3)
SPILLWAY_WIDTH(4)

}  // namespace spillway
