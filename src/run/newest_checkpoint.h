// Which checkpoint is the newest, apart from the checkpoints: so one that was lost is told from one that was never
// made.
//
// A file of two sectors, each with a text of its own; they are written in turn, so that a loss of power leaves one of
// them.  It is written in place: on a disk that is full as well.  The format is docs/design/formats.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/identity.h"
#include "io/disk.h"

namespace spillway {

class NewestCheckpoint {
 public:
  static constexpr const char* kName = "checkpoints";
  // The file of a run that has no checkpoint yet.
  static std::string first_text(const Identity& run);
  // The generation that a sector tells.  Throws Error(integrity), or Error(usage) for another version.
  static std::uint64_t parse(std::string_view sector, const Identity& run);

  // Reads the file.  REQUIRED: that it is there.
  NewestCheckpoint(Disk& disk, const Identity& run, bool required);

  std::uint64_t generation() const { return generation_; }  // 0: none yet, or not known
  const std::string& fault() const { return fault_; }       // why it is not known; empty: it is

  // From now on it is this one, for certain when this returns.  The file is made if there is none.
  void record(std::uint64_t generation);

 private:
  void read();
  void make(std::uint64_t generation);

  Disk& disk_;
  const Identity run_;
  std::uint64_t generation_ = 0;
  std::uint64_t next_sector_ = 0;
  bool usable_ = false;
  std::string fault_;
};

}  // namespace spillway
