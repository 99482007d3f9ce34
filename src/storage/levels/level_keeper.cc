#include "storage/levels/level_keeper.h"

#include <cstring>

#include "base/error.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

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
