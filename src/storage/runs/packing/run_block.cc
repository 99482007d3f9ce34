#include "storage/runs/packing/run_block.h"

#include <lz4.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::size_t kFrame = 8;  // stored bytes, packed bytes
constexpr std::size_t kHead = 8;   // rows, bytes of the table
template <std::size_t W>
std::size_t head_bytes(Width<W> width) {
  return kHead + width.words() * sizeof(Word) + GroupCode<W>::kHeadBytes;
}
constexpr unsigned kBlocksWithout = 31;

// In the table, and in a group with its length.
std::size_t longest_first(std::size_t words) {
  return kLongestNumber + longest_code(Width<0>(words));
}
std::size_t longest_row(std::size_t words) {
  return words <= 2 ? words * sizeof(Word) + 1 : longest_code(Width<0>(words));
}

std::size_t groups_of(std::size_t rows, const BlockShape& shape) {
  return (rows + shape.group_rows - 1) / shape.group_rows;
}

// At most.
std::size_t table_bytes(const BlockShape& shape) {
  return (groups_of(shape.rows, shape) - 1) * longest_first(shape.words);
}
std::size_t table_room(const BlockShape& shape) { return table_bytes(shape) + kBeyondGroup; }
std::size_t lengths_room(const BlockShape& shape) { return shape.rows + kBeyondGroup; }
std::size_t all_groups_bytes(const BlockShape& shape) {
  return shape.rows * longest_row(shape.words) + kBeyondGroup;
}
std::size_t compressed_bytes(const BlockShape& shape) {
  return kFrame + static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(shape.most_bytes())));
}

[[noreturn]] void no_block() { throw Error(Fault::integrity, "corrupt block of a sorted run"); }

// A broken block may lead behind its end.
std::size_t unpacked_room(const BlockShape& shape) {
  return shape.most_bytes() + longest_first(shape.words) +
         shape.group_rows * longest_row(shape.words) + kBeyondGroup;
}

}  // namespace

BlockShape BlockShape::of(std::size_t words) {
  BlockShape shape;
  shape.words = words;
  shape.rows = std::clamp<std::size_t>(4096 / words, 4, 2048);
  shape.group_rows = std::clamp<std::size_t>(shape.rows / 32, 4, 64);
  return shape;
}

BlockShape BlockShape::of(std::size_t words, std::size_t bytes) {
  BlockShape shape = of(words);
  while (shape.rows > 4 && shape.most_bytes() > bytes) shape.rows /= 2;
  return shape;
}

std::size_t BlockShape::most_bytes() const {
  return kFrame + kHead + words * sizeof(Word) + GroupCode<1>::kHeadBytes + table_bytes(*this) +
         rows * longest_row(words);
}

std::size_t stored_bytes(Bytes bytes) {
  if (bytes.size() < kFrame || get_u32(bytes.data()) > bytes.size() - kFrame) no_block();
  return kFrame + get_u32(bytes.data());
}

void put_plain(std::uint8_t* out, States rows) {
  const std::size_t bytes = rows.empty() ? 0 : rows.size() * rows[0].size_bytes();
  put_u32(out, bytes);
  put_u32(out + 4, 0);
  std::memcpy(out + kFrame, rows.data(), bytes);
}

template <std::size_t W>
BlockPacker<W>::BlockPacker(const BlockShape& shape) : shape_(shape), width_(shape.words) {
  table_.resize(table_room(shape));
  lengths_.resize(lengths_room(shape));
  groups_.resize(all_groups_bytes(shape));
  packed_.resize(shape.most_bytes());
  stored_.resize(compressed_bytes(shape));
}

template <std::size_t W>
std::uint64_t BlockPacker<W>::bytes(const BlockShape& shape) {
  return table_room(shape) + lengths_room(shape) + all_groups_bytes(shape) + shape.most_bytes() +
         compressed_bytes(shape);
}

// Choosing takes as long for a small block as for a large one, and neighbours have similar
// differences.
template <std::size_t W>
void BlockPacker<W>::choose_code(const Word* rows, std::size_t count) {
  if constexpr (W == 1) {
    constexpr std::size_t kAlike = 4096;
    Word all = 0;
    for (std::size_t i = 1; i < count; ++i) all |= rows[i] - rows[i - 1];
    const bool fits = static_cast<unsigned>(std::bit_width(all)) <= code_.lengths().greatest();
    if (fits && coded_ != 0 && coded_ + count <= kAlike) {
      coded_ += count;
      return;
    }
    BitLengths::Counts counts{};
    for (std::size_t first = 0; first < count; first += shape_.group_rows)
      for (std::size_t i = first + 1; i < std::min(count, first + shape_.group_rows); ++i)
        ++counts[static_cast<std::size_t>(std::bit_width(rows[i] - rows[i - 1]))];
    code_ = GroupCode<W>(BitLengths::best(counts));
    coded_ = count;
  }
}

template <std::size_t W>
std::size_t BlockPacker<W>::write_packed(const Word* rows, std::size_t count,
                                         const GroupCode<W>& code) {
  const std::size_t words = width_.words();
  std::uint8_t* table = table_.data();
  std::uint8_t* lengths = lengths_.data();
  std::uint8_t* out = groups_.data();
  for (std::size_t first = 0; first < count; first += shape_.group_rows) {
    const std::uint8_t* begin = out;
    const std::size_t end = std::min(count, first + shape_.group_rows);
    out = code.put(lengths, out, rows + first * words, end - first, width_);
    lengths += GroupCode<W>::length_bytes(end - first);
    if (end == count) break;
    table = put_number(table, static_cast<Word>(out - begin));
    table = put_row(table, rows + end * words, rows + first * words, width_);
  }
  std::uint8_t* packed = packed_.data();
  const auto append = [&](const void* bytes, std::size_t size) {
    std::memcpy(packed, bytes, size);
    packed += size;
  };
  put_u32(packed, count);
  put_u32(packed + 4, static_cast<std::size_t>(table - table_.data()));
  packed += kHead;
  append(rows, words * sizeof(Word));
  if constexpr (W == 1) code.lengths().write(packed);
  packed += GroupCode<W>::kHeadBytes;
  append(table_.data(), static_cast<std::size_t>(table - table_.data()));
  append(lengths_.data(), static_cast<std::size_t>(lengths - lengths_.data()));
  append(groups_.data(), static_cast<std::size_t>(out - groups_.data()));
  return static_cast<std::size_t>(packed - packed_.data());
}

template <std::size_t W>
std::size_t BlockPacker<W>::compress(std::size_t bytes) {
  const int done =
      LZ4_compress_default(reinterpret_cast<const char*>(packed_.data()),
                           reinterpret_cast<char*>(stored_.data() + kFrame),
                           static_cast<int>(bytes), static_cast<int>(stored_.size() - kFrame));
  return done > 0 && static_cast<std::size_t>(done) <= bytes / 2 ? static_cast<std::size_t>(done)
                                                                 : 0;
}

// LZ4 finds nothing where differences have any number of bits, so it gets whole bytes.
template <std::size_t W>
Bytes BlockPacker<W>::pack(const Word* rows, std::size_t count) {
  std::size_t bytes = 0, stored = 0;
  if (shape_.compressed && waits_ == 0) {
    bytes = write_packed(rows, count, GroupCode<W>());
    stored = compress(bytes);
    if (stored == 0) waits_ = kBlocksWithout;
  } else if (waits_ != 0) {
    --waits_;
  }
  if (stored == 0) {
    choose_code(rows, count);
    if (W == 1 || bytes == 0) bytes = write_packed(rows, count, code_);
    stored = bytes;
    std::memcpy(stored_.data() + kFrame, packed_.data(), bytes);
  }
  put_u32(stored_.data(), stored);
  put_u32(stored_.data() + 4, bytes);
  return {stored_.data(), kFrame + stored};
}

template <std::size_t W>
BlockUnpacker<W>::BlockUnpacker(const BlockShape& shape) : shape_(shape), width_(shape.words) {
  packed_.resize(unpacked_room(shape));
  groups_.resize(groups_of(shape.rows, shape));
  firsts_.resize(groups_.size() * shape.words);
  group_.resize(group_room(shape) * shape.words);
  if constexpr (W != 0) copy_missing_ = copy_missing_for<W>(vector_level());
}

template <std::size_t W>
std::size_t BlockUnpacker<W>::group_room(const BlockShape& shape) {
  return W != 0 ? plane_words(shape.group_rows) : shape.group_rows;
}

template <std::size_t W>
std::uint64_t BlockUnpacker<W>::bytes(const BlockShape& shape) {
  return unpacked_room(shape) +
         groups_of(shape.rows, shape) * (sizeof(Group) + shape.words * sizeof(Word)) +
         group_room(shape) * shape.words * sizeof(Word);
}

template <std::size_t W>
void BlockUnpacker<W>::open(Bytes block) {
  if (block.size() < kFrame) no_block();
  const std::size_t head = head_bytes(width_);
  const std::size_t stored = get_u32(block.data());
  const std::size_t bytes = get_u32(block.data() + 4);
  if (bytes == 0) return open_plain(block.subspan(kFrame));
  if (stored != block.size() - kFrame || bytes > shape_.most_bytes() || stored > bytes ||
      bytes < head)
    no_block();
  if (stored == bytes) {
    std::memcpy(packed_.data(), block.data() + kFrame, bytes);
  } else {
    const int done = LZ4_decompress_safe(reinterpret_cast<const char*>(block.data() + kFrame),
                                         reinterpret_cast<char*>(packed_.data()),
                                         static_cast<int>(stored), static_cast<int>(bytes));
    if (done < 0 || static_cast<std::size_t>(done) != bytes) no_block();
  }
  rows_ = get_u32(packed_.data());
  const std::size_t table_bytes = get_u32(packed_.data() + 4);
  if (rows_ == 0 || rows_ > shape_.rows || table_bytes > bytes - head) no_block();
  groups_count_ = groups_of(rows_, shape_);
  std::memcpy(firsts_.data(), packed_.data() + kHead, width_.words() * sizeof(Word));
  if constexpr (W == 1)
    code_ = GroupCode<W>(BitLengths::read(packed_.data() + head - BitLengths::kBytes));
  read_table(packed_.data() + head, packed_.data() + bytes);
}

template <std::size_t W>
void BlockUnpacker<W>::open_plain(Bytes rows) {
  const std::size_t row_bytes = width_.words() * sizeof(Word);
  if (rows.empty() || rows.size() % row_bytes != 0 || rows.size() / row_bytes > shape_.rows)
    no_block();
  std::memcpy(packed_.data(), rows.data(), rows.size());
  rows_ = rows.size() / row_bytes;
  groups_count_ = 0;
}

// `in`: the table; `end`: of the block.
template <std::size_t W>
void BlockUnpacker<W>::read_table(const std::uint8_t* in, const std::uint8_t* end) {
  const std::uint8_t* const table_end = in + get_u32(packed_.data() + 4);
  lengths_ = table_end;
  const std::size_t last = rows_ - (groups_count_ - 1) * shape_.group_rows;
  const std::size_t lengths = (groups_count_ - 1) * GroupCode<W>::length_bytes(shape_.group_rows) +
                              GroupCode<W>::length_bytes(last);
  if (lengths > static_cast<std::size_t>(end - table_end)) no_block();
  const std::uint8_t* group = table_end + lengths;
  for (std::size_t i = 0; i + 1 < groups_count_; ++i) {
    Word bytes = 0;
    in = get_number(in, bytes);
    Word* first = firsts_.data() + (i + 1) * width_.words();
    copy_row(first, first_of(i), width_);
    in = get_row(in, first, width_);
    if (in > table_end || bytes > static_cast<Word>(end - group)) no_block();
    groups_[i] = {group, group + bytes};
    group += bytes;
  }
  groups_[groups_count_ - 1] = {group, end};
}

template <std::size_t W>
void BlockUnpacker<W>::unpack_group(std::size_t group, Word* rows) const {
  copy_row(rows, first_of(group), width_);
  if (get_group(code_, lengths_of(group), groups_[group].begin, rows, rows_in(group), width_) !=
      groups_[group].end)
    no_block();
}

template <std::size_t W>
void BlockUnpacker<W>::unpack(Word* rows) const {
  const std::size_t words = width_.words();
  if (groups_count_ == 0) std::memcpy(rows, packed_.data(), rows_ * words * sizeof(Word));
  for (std::size_t g = 0; g < groups_count_; ++g)
    unpack_group(g, rows + g * shape_.group_rows * words);
}

namespace {

// Copies those of the sorted rows [row, end) that are not among the sorted `others` to `out`.
template <std::size_t W>
Word* without(const Word* row, const Word* const end, const Word* other, std::size_t count,
              Word* out, Width<W> width) {
  const std::size_t words = width.words();
  const Word* const last = other + count * words;
  for (; row != end; row += words) {
    while (other != last && below(other, row, width)) other += words;
    if (other != last && same(other, row, width)) continue;
    copy_row(out, row, width);
    out += words;
  }
  return out;
}

// The same for rows of one word, of which there are many: without branches, since which row is next
// cannot be predicted.  The row behind the others is free.
Word* without_many(const Word* row, const Word* const end, Word* const others, std::size_t count,
                   Word* out) {
  others[count] = ~Word{0};
  for (std::size_t i = 0; row != end;) {
    const Word wanted = *row;
    const Word other = others[i];
    const bool ahead = other < wanted;
    const bool fresh = other != wanted || i == count;
    *out = wanted;
    out += !ahead && fresh ? 1 : 0;
    row += ahead ? 0 : 1;
    i += ahead ? 1 : 0;
  }
  return out;
}

}  // namespace

// The same for the sorted rows [row, end) of a group.
template <std::size_t W>
Word* BlockUnpacker<W>::subtract_group(std::size_t group, const Word* row, const Word* const end,
                                       Word* out) {
  const std::size_t count = rows_in(group);
  if constexpr (W != 0) {
    if (static_cast<std::size_t>(end - row) < count * W) {
      const std::size_t plane = plane_words(shape_.group_rows);
      unpack_planes(group, plane);
      return copy_missing_(row, end, {group_.data(), plane, count}, out);
    }
  }
  unpack_group(group, group_.data());
  if constexpr (W == 1) return without_many(row, end, group_.data(), count, out);
  return without(row, end, group_.data(), count, out, width_);
}

template <std::size_t W>
void BlockUnpacker<W>::unpack_planes(std::size_t group, std::size_t plane) {
  if constexpr (W != 0) {
    const std::size_t count = rows_in(group);
    const RowNumber<W> first(first_of(group));
    const auto put = [&](std::size_t i, const RowNumber<W>& row) {
      for (std::size_t w = 0; w < W; ++w) group_[w * plane + i] = row.word(w);
    };
    put(0, first);
    if (code_.each(lengths_of(group), groups_[group].begin, first, count, put) !=
        groups_[group].end)
      no_block();
    for (std::size_t i = count; i % kLanes != 0; ++i) put(i, first);
  }
}

template <std::size_t W>
Word* BlockUnpacker<W>::subtract(const Word* row, const Word* const end, Word* out) {
  const std::size_t words = width_.words();
  std::size_t group = 0;
  while (row != end) {
    while (group + 1 < groups_count_ && !below(row, first_of(group + 1), width_)) ++group;
    const Word* const limit = group + 1 < groups_count_ ? first_of(group + 1) : nullptr;
    const Word* last = row + words;
    while (last != end && (limit == nullptr || below(last, limit, width_))) last += words;
    out = subtract_group(group, row, last, out);
    row = last;
  }
  return out;
}

#define SPILLWAY_WIDTH(W)        \
  template class BlockPacker<W>; \
  template class BlockUnpacker<W>;
SPILLWAY_FOR_WIDTHS(SPILLWAY_WIDTH)
#undef SPILLWAY_WIDTH

}  // namespace spillway
