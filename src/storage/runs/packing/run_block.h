// A block: a piece of a sorted run that is packed and unpacked as a unit, up to some thousand rows
// in order.
//
//   stored bytes (u32), packed bytes (u32), then LZ4 of the packed form if that is at most half as
//   long, otherwise the packed form.  After a block on which LZ4 did not pay, it is not tried for
//   some blocks.  The packed form:
//   rows (u32), bytes of the table (u32), the first row, for rows of one word the lengths that
//   their differences may have (see bit_lengths.h), the table: for each further group of rows, the
//   bytes of the group before it and its first row, coded relative to the first row of the group
//   before it (see row_code.h), the lengths of all groups, the groups: their other rows (see
//   group_code.h).
//
// In a log of levels a block may also hold plain rows, in any order: their bytes (u32), 0 (u32),
// the rows.
//
// Groups make it cheap to look for few rows in a block: only groups that could hold one are
// decoded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/state.h"
#include "storage/runs/chunks/bytes.h"
#include "storage/runs/packing/group_code.h"
#include "storage/runs/packing/row_lanes.h"
#include "storage/runs/packing/row_order.h"

namespace spillway {

struct BlockShape {
  std::size_t words = 1;
  std::size_t rows = 2048;  // per block, at most
  std::size_t group_rows = 64;
  bool compressed = true;
  bool operator==(const BlockShape&) const = default;

  // Longer rows make blocks of fewer rows, so that a block is a small part of a cache.
  static BlockShape of(std::size_t words);
  // Likewise, and a block takes at most this many bytes, unless it has few rows.
  static BlockShape of(std::size_t words, std::size_t bytes);
  // The most bytes of a block, stored or packed.
  std::size_t most_bytes() const;
};

// The size of the block at the beginning of `bytes`.  Throws Error(integrity) if `bytes` is
// shorter.
std::size_t stored_bytes(Bytes bytes);

inline constexpr std::size_t kPlainHeadBytes = 8;
// Writes a block of plain rows: kPlainHeadBytes plus the bytes of the rows.
void put_plain(std::uint8_t* out, States rows);

template <std::size_t W>
class BlockPacker {
 public:
  explicit BlockPacker(const BlockShape& shape);
  // Memory that a packer takes.
  static std::uint64_t bytes(const BlockShape& shape);
  const BlockShape& shape() const { return shape_; }
  // Valid until the next call.  REQUIRES: 1 <= count <= shape.rows, rows strictly increasing.
  Bytes pack(const Word* rows, std::size_t count);

 private:
  // Writes the packed form to `packed_`, and returns its bytes.
  std::size_t write_packed(const Word* rows, std::size_t count, const GroupCode<W>& code);
  // Writes LZ4 of it to `stored_`, and returns its bytes, or 0 if it does not pay.
  std::size_t compress(std::size_t bytes);
  // Chooses `code_` for these rows, unless it was chosen for rows not long before that are alike.
  void choose_code(const Word* rows, std::size_t count);
  const BlockShape shape_;
  const Width<W> width_;
  std::vector<std::uint8_t> table_, lengths_, groups_, packed_, stored_;
  unsigned waits_ = 0;  // blocks until LZ4 is tried again
  GroupCode<W> code_;
  std::size_t coded_ = 0;  // rows since it was chosen
};

template <std::size_t W>
class BlockUnpacker {
 public:
  explicit BlockUnpacker(const BlockShape& shape);
  // Memory that an unpacker takes.
  static std::uint64_t bytes(const BlockShape& shape);

  // Makes this block the current one.  Throws Error(integrity) if it does not follow the format.
  void open(Bytes block);
  std::size_t rows() const { return rows_; }

  // Writes all rows of the block.
  void unpack(Word* rows) const;

  // Copies those of the sorted rows [row, end) that are not in the block to `out`, and returns the
  // end of the copy.  `out` may be `row`.  REQUIRES: the block is packed, not plain.
  Word* subtract(const Word* row, const Word* end, Word* out);

 private:
  struct Group {
    const std::uint8_t* begin;
    const std::uint8_t* end;
  };
  std::size_t rows_in(std::size_t group) const {
    return group + 1 < groups_count_ ? shape_.group_rows : rows_ - group * shape_.group_rows;
  }
  static std::size_t group_room(const BlockShape& shape);  // rows
  void unpack_group(std::size_t group, Word* rows) const;
  void unpack_planes(std::size_t group, std::size_t plane);
  Word* subtract_group(std::size_t group, const Word* row, const Word* end, Word* out);
  const Word* first_of(std::size_t group) const { return firsts_.data() + group * width_.words(); }
  void open_plain(Bytes rows);
  void read_table(const std::uint8_t* in, const std::uint8_t* end);
  const std::uint8_t* lengths_of(std::size_t group) const {
    return lengths_ + group * GroupCode<W>::length_bytes(shape_.group_rows);
  }

  const BlockShape shape_;
  const Width<W> width_;
  std::vector<std::uint8_t> packed_;
  std::size_t rows_ = 0;
  std::size_t groups_count_ = 0;  // 0: plain
  GroupCode<W> code_;
  const std::uint8_t* lengths_ = nullptr;
  std::vector<Group> groups_;
  std::vector<Word> firsts_;  // the first row of each group
  std::vector<Word> group_;   // scratch for subtract()
  CopyMissing copy_missing_ = nullptr;
};

}  // namespace spillway
