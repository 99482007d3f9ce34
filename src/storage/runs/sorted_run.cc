#include "storage/runs/sorted_run.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "storage/runs/chunks/bytes.h"

namespace spillway {
namespace {

void append_u32(std::vector<std::uint8_t>& out, std::size_t number) {
  out.resize(out.size() + kU32Bytes);
  put_u32(out.data() + out.size() - kU32Bytes, number);
}

[[noreturn]] void no_chunk() { throw Error(Fault::integrity, "corrupt chunk of a sorted run"); }

}  // namespace

template <std::size_t W>
void SortedRun<W>::append(SortedRun part) {
  if (part.rows_ == 0) return;
  const std::size_t words = width_.words();
  std::span<const Word> edge;
  if (rows_ != 0) edge = {part.ends_.data(), words};
  if (rows_ != 0) edge = edge.last(words_apart(last_row(), edge.data(), words));
  index_.append(std::move(part.index_), edge);
  on_disk_ = on_disk_ || part.on_disk_;
  if (rows_ == 0)
    ends_ = std::move(part.ends_);
  else
    std::copy(part.ends_.begin() + static_cast<std::ptrdiff_t>(words), part.ends_.end(),
              ends_.begin() + static_cast<std::ptrdiff_t>(words));
  rows_ += part.rows_;
}

template <std::size_t W>
std::uint64_t SortedRun<W>::disk_bytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < index_.size(); ++i)
    bytes += index_.chunks()[i].in_memory() ? 0 : index_.chunks()[i].size();
  return bytes;
}

template <std::size_t W>
void SortedRun<W>::to_disk(ChunkStore& store) {
  ChunkWriter writer(store);
  index_.to_disk(writer);
  writer.finish();
  on_disk_ = rows_ != 0;
}

// ----------------------------------------------------------------------------------------------------
// writer

template <std::size_t W>
RunWriter<W>::RunWriter(ChunkStore& store, BlockPacker<W>& packer, BlockKeeper* kept)
    : store_(store),
      claim_(store.budget(), bytes(store.chunk_bytes(), packer.shape())),
      chunks_(store),
      kept_(kept),
      packer_(packer),
      run_(store.budget(), packer.shape()) {
  edge_.reserve(packer.shape().words);
}

template <std::size_t W>
std::uint64_t RunWriter<W>::bytes(std::size_t chunk_bytes, const BlockShape& shape) {
  return (shape.rows + 3) * shape.words * sizeof(Word) +
         std::max(chunk_bytes, shape.most_bytes() + kTableBytes);
}

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
    if (waiting_.capacity() == 0) waiting_.reserve(full * words);
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
  const std::size_t words = run_.width_.words();
  const Bytes bytes = packer_.pack(rows, count);
  if (kept_ != nullptr) kept_->keep(bytes);
  std::vector<Word>& ends = run_.ends_;
  const std::size_t apart = run_.rows_ == 0 ? 0 : words_apart(run_.last_row(), rows, words);
  const std::size_t in_table = 2 * kU32Bytes + apart * sizeof(Word);
  if (!chunk_.empty() &&
      chunk_.size() + bytes.size() + table_.size() + in_table + kU32Bytes > store_.chunk_bytes())
    close_chunk();
  const Word* const edge = rows + words - apart;
  if (chunk_.empty()) {
    chunk_.reserve(std::max(store_.chunk_bytes(), bytes.size() + kTableBytes));
    edge_.assign(edge, rows + words);
    append_u32(table_, bytes.size());
  } else {
    append_u32(table_, bytes.size());
    append_u32(table_, apart);
    table_.insert(table_.end(), reinterpret_cast<const std::uint8_t*>(edge),
                  reinterpret_cast<const std::uint8_t*>(rows + words));
  }
  chunk_.insert(chunk_.end(), bytes.begin(), bytes.end());
  ++blocks_;
  if (run_.rows_ == 0) {
    ends.assign(rows, rows + words);
    ends.resize(2 * words);
  }
  std::copy(rows + (count - 1) * words, rows + count * words,
            ends.begin() + static_cast<std::ptrdiff_t>(words));
  run_.rows_ += count;
}

template <std::size_t W>
void RunWriter<W>::close_chunk() {
  const std::size_t table_bytes = table_.size();
  append_u32(table_, table_bytes);
  chunk_.insert(chunk_.end(), table_.begin(), table_.end());
  run_.add(chunks_.put(chunk_), blocks_, edge_);
  chunk_.clear();
  table_.clear();
  blocks_ = 0;
}

template <std::size_t W>
SortedRun<W> RunWriter<W>::finish() {
  if (!waiting_.empty()) write_block(waiting_.data(), waiting_.size() / run_.width_.words());
  if (!chunk_.empty()) close_chunk();
  chunks_.finish();
  waiting_.clear();
  return std::exchange(run_, SortedRun<W>(store_.budget(), run_.shape_));
}

// ----------------------------------------------------------------------------------------------------
// readers

// The first entry of a table has no words.
template <std::size_t W>
typename RunBlockReader<W>::Entry RunBlockReader<W>::read(const std::uint8_t* at) const {
  Entry entry;
  if (table_end_ - at < static_cast<std::ptrdiff_t>(2 * kU32Bytes)) no_chunk();
  entry.bytes = get_u32(at);
  const std::size_t words = get_u32(at + kU32Bytes);
  at += 2 * kU32Bytes;
  if (words > run_->shape().words ||
      words * sizeof(Word) > static_cast<std::size_t>(table_end_ - at))
    no_chunk();
  entry.edge = {at, words * sizeof(Word)};
  entry.next = at + words * sizeof(Word);
  return entry;
}

template <std::size_t W>
void RunBlockReader<W>::expand(const Entry& entry, Word* row) const {
  const std::size_t words = run_->shape().words;
  const std::size_t zeros = words - entry.edge.size() / sizeof(Word);
  std::fill(row, row + zeros, 0);
  if (!entry.edge.empty()) std::memcpy(row + zeros, entry.edge.data(), entry.edge.size());
}

template <std::size_t W>
void RunBlockReader<W>::open_chunk(std::size_t chunk) {
  chunk_ = chunk;
  bytes_ = chunks_.get(chunk);
  if (bytes_.size() < 2 * kU32Bytes) no_chunk();
  const std::uint8_t* const end = bytes_.data() + bytes_.size() - kU32Bytes;
  const std::size_t table = get_u32(end);
  if (table < kU32Bytes || table > bytes_.size() - kU32Bytes) no_chunk();
  table_end_ = end;
  bytes_ = bytes_.first(bytes_.size() - kU32Bytes - table);
  entry_ = {};
  entry_.bytes = get_u32(end - table);
  entry_.next = end - table + kU32Bytes;
  offset_ = 0;
  block_ = run_->index().first_block(chunk);
  begun_ = true;
  set_limit();
}

// Behind the current block.
template <std::size_t W>
void RunBlockReader<W>::set_limit() {
  if (offset_ + entry_.bytes > bytes_.size()) no_chunk();
  has_next_ = true;
  if (entry_.next != table_end_)
    expand(read(entry_.next), limit_.data());
  else if (chunk_ + 1 < run_->index().size())
    run_->index().edge(chunk_ + 1, limit_.data());
  else
    has_next_ = false;
}

template <std::size_t W>
bool RunBlockReader<W>::next_in_chunk() {
  if (entry_.next == table_end_) return false;
  offset_ += entry_.bytes;
  entry_ = read(entry_.next);
  ++block_;
  set_limit();
  return true;
}

template <std::size_t W>
bool RunBlockReader<W>::next() {
  if (begun_ && next_in_chunk()) return true;
  const std::size_t chunk = begun_ ? chunk_ + 1 : 0;
  if (chunk >= run_->index().size()) return false;
  open_chunk(chunk);
  return true;
}

template <std::size_t W>
void RunBlockReader<W>::go_to(std::uint64_t block) {
  const std::size_t chunk = run_->index().chunk_with(block);
  if (!begun_ || chunk != chunk_) open_chunk(chunk);
  while (block_ < block)
    if (!next_in_chunk()) no_chunk();
}

template <std::size_t W>
void RunBlockReader<W>::seek(const Word* row) {
  if (!begun_) {
    open_chunk(run_->index().chunk_of(row));
  } else if (chunk_ + 1 < run_->index().size() && !run_->index().is_before(row, chunk_ + 1)) {
    open_chunk(run_->index().chunk_of(row, chunk_ + 1));
  }
  while (has_next_ && entry_.next != table_end_ && !below(row, limit_.data(), run_->width()))
    next_in_chunk();
}

template <std::size_t W>
BlockUnpacker<W>& RunBlockReader<W>::open() {
  unpacker_->open(bytes_.subspan(offset_, entry_.bytes));
  return *unpacker_;
}

template <std::size_t W>
const Word* RunBlockReader<W>::limit_behind(std::size_t more) {
  if (!has_next_ || more == 0 || entry_.next == table_end_) return limit();
  Entry entry = read(entry_.next);
  while (more > 0 && entry.next != table_end_) {
    entry = read(entry.next);
    --more;
  }
  behind_.resize(run_->shape().words);
  if (more == 0) {
    expand(entry, behind_.data());
  } else {
    if (chunk_ + 1 == run_->index().size()) return nullptr;
    run_->index().edge(chunk_ + 1, behind_.data());
  }
  return behind_.data();
}

template <std::size_t W>
void RunBlockReader<W>::expect_from(std::size_t chunk, std::size_t end, std::size_t chunks) {
  for (; chunk < end && chunks > 0 && !expects_enough(); --chunks) expect(chunk++);
}

template <std::size_t W>
RunReader<W>::RunReader(const SortedRun<W>& run, BlockUnpacker<W>& unpacker, ReadAhead& ahead,
                        std::size_t chunks_ahead, const Word* from, const Word* to,
                        SortedRun<W>* spent)
    : run_(&run),
      spent_(spent),
      claim_(ahead.buffers().budget(), bytes(run.shape())),
      reader_(run, unpacker, ahead),
      chunks_ahead_(chunks_ahead),
      to_(to),
      end_(run.index().size()),
      kept_(0),
      more_(run.blocks() != 0) {
  rows_.resize(run.shape().rows * run.shape().words);
  if (!more_) return;
  if (to != nullptr) end_ = run.index().chunk_of(to) + 1;
  if (from == nullptr) return;
  reader_.seek(from);
  kept_ = reader_.chunk() + 1;
  fill();
  const std::size_t words = run.width().words();
  while (at_ < count_ && below(rows_.data() + at_ * words, from, run.width())) ++at_;
}

// Goes to the next block.  False at the end.
template <std::size_t W>
bool RunReader<W>::next_block() {
  const std::size_t chunk = reader_.chunk();
  if (!reader_.next()) return false;
  if (spent_ != nullptr && reader_.chunk() != chunk && chunk >= kept_) spent_->free_place(chunk);
  return true;
}

// Unpacks the current block.
template <std::size_t W>
bool RunReader<W>::fill() {
  BlockUnpacker<W>& block = reader_.open();
  if (chunks_ahead_ != 0 || reader_.is_last_of_chunk())
    reader_.expect_from(reader_.chunk() + 1, end_, std::max<std::size_t>(1, chunks_ahead_));
  block.unpack(rows_.data());
  count_ = block.rows();
  at_ = 0;
  more_ = reader_.has_next();
  return true;
}

template <std::size_t W>
const Word* RunReader<W>::ahead(std::size_t rows) {
  if (at_ == count_) {
    if (!more_) return nullptr;
    const Word* const next = reader_.limit();
    if (to_ != nullptr && next != nullptr && !below(next, to_, run_->width())) return next;
    more_ = next_block() && fill();
  }
  const std::size_t blocks = std::max<std::size_t>(2, rows / run_->shape().rows);
  return reader_.limit_behind(blocks - 2);
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
    if (row != end || !more_) return out;
    const Word* const next = reader_.limit();  // nothing: the first block comes next
    if (limit != nullptr && next != nullptr && !below(next, limit, run_->width())) return out;
    more_ = next_block();
    if (!more_) return out;
    fill();
  }
}

// Reading of the chunks begins in which at least so many of the rows could be, as many as are read
// ahead; the row that is next.  REQUIRES: `row` is not in a chunk before `expected_`.
template <std::size_t W>
const Word* RunSieve<W>::expect_some(const Word* row, const Word* end, std::size_t least) {
  const RunIndex& index = run_->index();
  const std::size_t words = run_->width().words();
  while (row != end && !reader_.expects_enough()) {
    const std::size_t chunk = index.chunk_of(row, expected_);
    const Word* behind = end;
    if (chunk + 1 < index.size()) {
      index.edge(chunk + 1, edge_.data());
      behind = lower_bound(row, end, edge_.data(), run_->width());
    }
    const bool enough = static_cast<std::size_t>(behind - row) >= least * words;
    if (!enough && behind == end) return row;  // more may come
    if (enough) reader_.expect(chunk);
    row = behind;
    expected_ = chunk + 1;
    if (expected_ == index.size()) return end;
  }
  return row;
}

template <std::size_t W>
void RunSieve<W>::expect(const Word* rows, std::size_t count) {
  // Of so many rows, other runs will leave some.
  constexpr std::size_t kMany = 8;
  const RunIndex& index = run_->index();
  if (expected_ == index.size()) return;
  const Word* const end = rows + count * run_->width().words();
  if (expected_ > reader_.chunk()) {
    index.edge(expected_, edge_.data());
    rows = lower_bound(rows, end, edge_.data(), run_->width());
  }
  expect_some(rows, end, kMany);
}

template <std::size_t W>
std::size_t RunSieve<W>::sieve(Word* rows, std::size_t count, RunSieve* next) {
  if (run_->blocks() == 0) return count;
  const std::size_t words = run_->width().words();
  const Word* row = rows;
  const Word* const end = rows + count * words;
  const Word* unexpected = rows;
  Word* out = rows;
  expected_ = reader_.chunk();
  while (row != end) {
    if (unexpected != end) unexpected = expect_some(unexpected, end, 1);
    if (unexpected == end && next != nullptr)
      next->expect(rows, static_cast<std::size_t>(out - rows) / words);
    reader_.seek(row);
    const Word* const limit = reader_.limit();
    const Word* last = row + words;  // of those that could be in this block
    while (last != end && (limit == nullptr || below(last, limit, run_->width()))) last += words;
    BlockUnpacker<W>& block = reader_.open();
    out = block.subtract(row, last, out);
    row = last;
  }
  expected_ = reader_.chunk();
  return static_cast<std::size_t>(out - rows) / words;
}

#define SPILLWAY_WIDTH(W)           \
  template class SortedRun<W>;      \
  template class RunWriter<W>;      \
  template class RunBlockReader<W>; \
  template class RunReader<W>;      \
  template class RunSieve<W>;
SPILLWAY_FOR_WIDTHS(SPILLWAY_WIDTH)
#undef SPILLWAY_WIDTH

}  // namespace spillway
