#include "storage/levels/level_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/process/identity.h"
#include "storage/blocks/block_reader.h"

namespace spillway {
namespace {

constexpr std::size_t kLevelBytes = sizeof(std::uint64_t);
constexpr std::string_view kPrefix = "levels-";
// so that there is always a next number
constexpr Ahead kAhead{3, 1};
constexpr Behind kBehind{3, 1};

Bytes records_in(const Block& block) {
  return {reinterpret_cast<const std::uint8_t*>(block.payload.data()), block.payload.size()};
}

// A block that the disk does not give is as lost as one that is damaged, unless it may be waited
// for.
std::optional<Block> next_of(BlockReader& reader, bool patient) {
  try {
    return reader.next();
  } catch (const Error& error) {
    if (patient || error.fault() != Fault::system) throw;
    throw Error(Fault::integrity, error.what());
  }
}

[[noreturn]] void not_in_order(const BlockFile& file, std::uint64_t level, std::uint64_t expected) {
  throw Error(Fault::integrity, fmt::format("{}: has level {} where level {} is expected",
                                            file.name(), level, expected));
}

}  // namespace

LevelLog::Form LevelLog::form_for(std::uint64_t run_id, const BlockShape& shape,
                                  std::uint64_t memory_bytes) {
  const std::size_t wanted =
      std::clamp<std::uint64_t>(memory_bytes / 256, kSector, std::size_t{128} << 10);
  const std::size_t least = kBlockHeaderBytes + kLevelBytes + shape.most_bytes();
  return {run_id, shape, round_up_to_sector(std::max(wanted, least))};
}

std::string LevelLog::name_of(std::uint64_t file) { return fmt::format("{}{}", kPrefix, file); }

LevelLog::LevelLog(Disk& disk, Budget& budget, const Form& form, std::uint64_t next_file,
                   std::vector<LogFile> parts)
    : disk_(disk), budget_(budget), form_(form), next_file_(next_file), parts_(std::move(parts)) {
  for (const LogFile& part : parts_) {
    files_.push_back(
        std::make_unique<BlockFile>(BlockFile::open(disk, name_of(part.file), format_of(part.id))));
    if (files_.back()->blocks() != part.blocks)
      throw Error(Fault::integrity,
                  fmt::format("{}: has {} blocks, but {} were written", files_.back()->name(),
                              files_.back()->blocks(), part.blocks));
  }
}

BlockFormat LevelLog::format_of(std::uint64_t id) const {
  BlockFormat format;
  format.run_id = form_.run_id;
  format.file_id = id;
  format.block_bytes = form_.block_bytes;
  return format;
}

void LevelLog::read(const std::function<void(std::uint64_t level, Bytes block)>& visit) {
  begins_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    BlockReader reader(*files_[i], budget_, kAhead);
    while (const std::optional<Block> block = next_of(reader, patient_)) {
      Bytes rest = records_in(*block);
      while (!rest.empty()) {
        const LevelRecord record = take_record(rest);
        if (record.level >= parts_[i].levels) continue;
        while (record.level == begins_.size() || (may_be_empty_ && record.level > begins_.size()))
          begins_.push_back({i, block->number});
        if (record.level + 1 != begins_.size())
          not_in_order(*files_[i], record.level, begins_.size());
        visit(record.level, record.block);
      }
    }
  }
}

void LevelLog::resume_after(std::uint64_t levels) {
  while (begins_.size() < levels) begins_.push_back({files_.size(), 0});
}

void LevelLog::begin_level() {
  const std::lock_guard lock(mutex_);
  begins_.push_back(open_ ? BlockAddress{files_.size() - 1, writer_->block()}
                          : BlockAddress{files_.size(), 0});
}

template <class Action>
auto LevelLog::or_broken(Action action) {
  try {
    return action();
  } catch (...) {
    broken_ = true;
    throw;
  }
}

std::byte* LevelLog::place_for(std::size_t bytes) {
  return or_broken([&] { return place(bytes); });
}

// Room for a record of the current level, in which its number stands already.
std::byte* LevelLog::place(std::size_t bytes) {
  if (!open_) {
    const std::uint64_t number = next_file_++;
    files_.push_back(
        std::make_unique<BlockFile>(disk_, name_of(number), format_of(drawn_number())));
    files_.back()->keep();
    unsealed_.push_back(number);
    if (writer_)
      writer_->go_on(*files_.back());
    else
      writer_.emplace(*files_.back(), budget_, kBehind);
    open_ = true;
  }
  const std::uint64_t level = begins_.size() - 1;
  std::byte* const begin = writer_->place(kLevelBytes + bytes);
  std::memcpy(begin, &level, kLevelBytes);
  return begin + kLevelBytes;
}

void LevelLog::keep(Bytes block) {
  const std::lock_guard lock(mutex_);
  std::memcpy(place_for(block.size()), block.data(), block.size());
  writer_->added(kLevelBytes + block.size(), 1);
}

void LevelLog::keep_rows(States rows) {
  const std::size_t row_bytes = form_.shape.words * sizeof(Word);
  const std::size_t most =
      std::min(form_.shape.rows,
               (form_.block_bytes - kBlockHeaderBytes - kLevelBytes - kPlainHeadBytes) / row_bytes);
  for (std::size_t first = 0; first < rows.size(); first += most) {
    const std::size_t count = std::min(most, rows.size() - first);
    const std::size_t bytes = kPlainHeadBytes + count * row_bytes;
    const std::lock_guard lock(mutex_);
    put_plain(reinterpret_cast<std::uint8_t*>(place_for(bytes)),
              States(rows.data() + first * form_.shape.words, count, form_.shape.words));
    writer_->added(kLevelBytes + bytes, 1);
  }
}

void LevelLog::end_file() {
  if (!open_) return;
  or_broken([&] { writer_->finish(); });
  open_ = false;
}

void LevelLog::each(std::uint64_t level, const std::function<void(Bytes)>& visit) {
  const std::lock_guard lock(mutex_);
  if (level >= begins_.size()) return;
  end_file();
  std::uint64_t first = begins_[level].block;
  for (std::size_t i = begins_[level].file; i < files_.size(); ++i, first = 0) {
    if (first >= files_[i]->blocks()) continue;
    BlockReader reader(*files_[i], budget_, kAhead, first);
    while (const std::optional<Block> block = reader.next()) {
      if (!visit_level(records_in(*block), level, visit)) return;
    }
  }
}

const std::vector<LevelLog::LogFile>& LevelLog::seal(std::uint64_t levels) {
  const std::lock_guard lock(mutex_);
  if (broken_) throw Error(Fault::system, "states could not be written to the log of levels");
  end_file();
  if (unsealed_.empty()) return parts_;
  const std::size_t first = parts_.size();
  or_broken([&] {
    for (std::size_t i = first; i < files_.size(); ++i) files_[i]->sync();
    disk_.sync_directory();
  });
  for (std::size_t i = first; i < files_.size(); ++i)
    parts_.push_back(
        {unsealed_[i - first], files_[i]->format().file_id, files_[i]->blocks(), levels});
  unsealed_.clear();
  return parts_;
}

}  // namespace spillway
