#include "storage/levels/level_keeper.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

// Of a batch, unless a block has more: blocks may have few rows, and waking threads for them would
// not pay.
constexpr std::size_t kBatchWords = 8192;

}  // namespace

void LevelKeeper::each_batch(std::uint64_t level, const BlockShape& shape,
                             const std::function<void(States)>& visit) {
  with_width(shape.words, [&](auto width) {
    BlockUnpacker<width()> unpacker(shape);
    const std::size_t blocks = std::max<std::size_t>(kBatchWords / (shape.rows * shape.words), 1);
    std::vector<Word> rows(blocks * shape.rows * shape.words);
    std::size_t count = 0;
    const auto hand_over = [&] {
      if (count != 0) visit({rows.data(), std::exchange(count, 0), shape.words});
    };
    each(level, [&](Bytes block) {
      unpacker.open(block);
      if (count + unpacker.rows() > blocks * shape.rows) hand_over();
      unpacker.unpack(rows.data() + count * shape.words);
      count += unpacker.rows();
    });
    hand_over();
  });
}

void LevelKeeper::each_row(std::uint64_t level, const BlockShape& shape, Crew& crew,
                           const std::function<void(unsigned thread, State)>& visit) {
  each_batch(level, shape, [&](States rows) { deal_out(crew, rows, visit); });
}

void deal_out(Crew& crew, States rows, const std::function<void(unsigned thread, State)>& visit) {
  crew.each([&](unsigned thread) {
    for (std::size_t i = thread; i < rows.size(); i += crew.size()) visit(thread, rows[i]);
  });
}

LevelRecord take_record(Bytes& rest) {
  LevelRecord record{};
  if (rest.size() < sizeof record.level)
    throw Error(Fault::integrity, "a record of a level is truncated");
  std::memcpy(&record.level, rest.data(), sizeof record.level);
  rest = rest.subspan(sizeof record.level);
  record.block = rest.first(stored_bytes(rest));
  rest = rest.subspan(record.block.size());
  return record;
}

bool visit_level(Bytes records, std::uint64_t level, const std::function<void(Bytes)>& visit) {
  while (!records.empty()) {
    const LevelRecord record = take_record(records);
    if (record.level > level) return false;
    if (record.level == level) visit(record.block);
  }
  return true;
}

}  // namespace spillway
