// A durable log of every state of a search, level by level, from which the search can be resumed.
//
// The format is in docs/design/formats.md.  A record is the number of a level and some of its rows,
// packed in order or plain (run_block.h).  Records are appended to a file until seal() makes them
// durable, or each() reads them; the next record begins another file.  So a file never changes once
// it counts, and seal() may make several files durable at once.  Which
// files count, how long they are and how many levels they cover is recorded elsewhere, in the
// manifest.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "storage/blocks/block_writer.h"
#include "storage/levels/level_keeper.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

class LevelLog final : public LevelKeeper {
 public:
  // What stays the same for the life of a log.
  struct Form {
    std::uint64_t run_id = 0;
    // Of packed records; no record has more rows.
    BlockShape shape;
    std::size_t block_bytes = 0;  // of its files
    bool operator==(const Form&) const = default;
  };
  // A form that suits this amount of memory.
  static Form form_for(std::uint64_t run_id, const BlockShape& shape, std::uint64_t memory_bytes);
  // The most a log draws from its budget.
  static std::uint64_t budget_bytes(const Form& form) { return 8 * form.block_bytes; }

  // A complete file.
  struct LogFile {
    std::uint64_t file = 0;  // its number, never reused
    std::uint64_t id = 0;    // random, and in each of its blocks: identifies the file
    std::uint64_t blocks = 0;
    std::uint64_t levels = 0;  // records of this level and later ones do not count
    bool operator==(const LogFile&) const = default;
  };
  static std::string name_of(std::uint64_t file);

  // Continues a log with these parts, in files from `next_file` on.  Throws Error(integrity) if a
  // part is missing or has another size.
  LevelLog(Disk& disk, Budget& budget, const Form& form, std::uint64_t next_file,
           std::vector<LogFile> parts = {});

  const Form& form() const { return form_; }
  const std::vector<LogFile>& parts() const { return parts_; }  // what was sealed

  // Levels may be without states, as on one of several ranks.
  void allow_empty_levels() { may_be_empty_ = true; }
  // What the disk does not give may be readable later: read() throws Error(system) then.
  void be_patient() { patient_ = true; }
  // Visits all records that count, levels in order.  REQUIRES: nothing was kept yet.  Throws
  // Error(integrity), also for what the disk does not give.
  void read(const std::function<void(std::uint64_t level, Bytes block)>& visit);

  void begin_level() override;
  void keep(Bytes block) override;  // any thread
  void keep_rows(States rows);      // unpacked; any thread
  void each(std::uint64_t level, const std::function<void(Bytes)>& visit) override;

  // After read(): there were so many levels, of which the last may be without states.
  void resume_after(std::uint64_t levels);

  // Makes all that was kept durable.  REQUIRES: the first `levels` levels are complete.  Throws if
  // anything could not be kept, now or earlier.
  const std::vector<LogFile>& seal(std::uint64_t levels);

 private:
  struct BlockAddress {
    std::size_t file = 0;  // index in files_
    std::uint64_t block = 0;
  };

  BlockFormat format_of(std::uint64_t id) const;
  template <class Action>
  auto or_broken(Action action);
  std::byte* place_for(std::size_t bytes);
  std::byte* place(std::size_t bytes);
  void end_file();

  Disk& disk_;
  Budget& budget_;
  const Form form_;
  std::uint64_t next_file_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockFile>> files_;  // those of parts_, and what was not sealed yet
  std::vector<std::uint64_t> unsealed_;            // numbers of the latter
  std::vector<LogFile> parts_;
  // Of the last file while that is open; kept for its buffers afterwards.
  std::optional<BlockWriter> writer_;
  bool open_ = false;
  bool broken_ = false;        // something was not kept
  bool may_be_empty_ = false;  // levels
  bool patient_ = false;
  std::vector<BlockAddress> begins_;  // of each level: at or before its first record
};

}  // namespace spillway
