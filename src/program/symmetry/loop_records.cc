#include "program/symmetry/loop_records.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::program {

LoopNumber LoopRecords::begin(const Loop& loop) {
  records_.push_back({loop, false, false, {}, {}});
  return static_cast<LoopNumber>(records_.size() - 1);
}

std::optional<std::string> LoopRecords::read(LoopNumber number, Reader reader) {
  Record& record = records_[number];
  if (record.refused) return std::nullopt;
  if (!record.over) {
    record.turns.push_back(std::move(reader));
    return std::nullopt;
  }
  for (const Conflict& one : record.conflicts) {
    if (!one.is_about(reader.cell)) continue;
    record.refused = true;
    return fmt::format(
        "{}, which iterations of this loop write at line {}, is read after the loop, at line {}",
        reader.name, one.write.position.line, reader.position.line);
  }
  return std::nullopt;
}

std::optional<std::string> LoopRecords::end(LoopNumber number, std::vector<Conflict> conflicts) {
  Record& record = records_[number];
  record.over = true;
  record.conflicts = std::move(conflicts);
  for (const Reader& reader : record.turns)
    for (const Conflict& one : record.conflicts) {
      if (!one.is_about(reader.cell)) continue;
      record.refused = true;
      return fmt::format(
          "an iteration of this loop reads {} at line {} before it sets it, and others write it "
          "at line {}",
          reader.name, reader.position.line, one.write.position.line);
    }
  return std::nullopt;
}

}  // namespace spillway::program
