// Every state of a search, level by level, in files that survive it: what the search can be continued from.
//
// The format is docs/design/formats.md.  A record is the number of a level and some of its rows, packed in order or as
// they are (run_block.h).  Records are appended to a file until seal(), which makes them durable; the next
// record begins another file, so that files never change once they count.  Whoever reads the log later is told by
// someone else, the manifest, which files count, how long they are and how many levels they tell of.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "storage/block_writer.h"
#include "storage/level_keeper.h"
#include "storage/run_block.h"

namespace spillway {

class LevelLog final : public LevelKeeper {
 public:
  // What stays the same as long as a log exists.
  struct Form {
    std::uint64_t run_id = 0;
    BlockShape shape;             // packed records have groups of this size, and none has more rows
    std::size_t block_bytes = 0;  // of its files
    bool operator==(const Form&) const = default;
  };
  // A form for so much memory.
  static Form form_for(std::uint64_t run_id, const BlockShape& shape, std::uint64_t memory_bytes);
  // What a log draws from its budget at most.
  static std::uint64_t budget_bytes(const Form& form) { return 8 * form.block_bytes; }

  // A file that is complete.
  struct Part {
    std::uint64_t file = 0;  // its number, never used again
    std::uint64_t id = 0;    // drawn at random, and in each of its blocks: no other file is taken for it
    std::uint64_t blocks = 0;
    std::uint64_t levels = 0;  // so many: what it has of later ones does not count
    bool operator==(const Part&) const = default;
  };
  static std::string name_of(std::uint64_t file);
  // The number in the name of a file of a log; nothing: it is no such name.
  static std::optional<std::uint64_t> number_in(const std::string& name);

  // Goes on with these parts, if there are any, in files from `next_file` on.  Throws Error(integrity) when a part is
  // missing or has not its size.
  LevelLog(Disk& disk, Budget& budget, const Form& form, std::uint64_t next_file, std::vector<Part> parts = {});

  const Form& form() const { return form_; }
  const std::vector<Part>& parts() const { return parts_; }  // what was sealed

  // Goes through all that counts, levels in order, before anything is kept.  Throws Error(integrity).
  void read(const std::function<void(std::uint64_t level, Bytes block)>& visit);

  void begin_level() override;
  void keep(Bytes block) override;  // any thread
  void keep_rows(States rows);      // as they are; any thread
  void each(std::uint64_t level, const std::function<void(Bytes)>& visit) override;

  // When this returns, all that was kept survives a loss of power.  The first `levels` levels are complete.  Once
  // something could not be kept, this throws.
  const std::vector<Part>& seal(std::uint64_t levels);

 private:
  struct Place {
    std::size_t file = 0;  // in files_
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
  std::vector<std::unique_ptr<BlockFile>> files_;  // those of parts_, and the open one
  std::vector<Part> parts_;
  std::optional<BlockWriter> writer_;  // of the last file while that is open, and kept for its buffers afterwards
  bool open_ = false;
  bool broken_ = false;        // something was not kept
  std::vector<Place> begins_;  // of each level: not behind its first record
};

}  // namespace spillway
