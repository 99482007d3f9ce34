// Records which checkpoint is the newest, apart from the checkpoints, so that a lost one is told
// from one that was never made.
//
// The file has two sectors, each with a text of its own.  They are written in turn, so a loss of
// power leaves one of them intact.  They are written in place, which works on a full disk too.  The
// format is in docs/design/formats.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/identity.h"
#include "io/data/disk.h"

namespace spillway {

class NewestCheckpoint {
 public:
  static constexpr const char* kName = "checkpoints";
  // The file of a run without checkpoints.
  static std::string first_text(const Identity& run);
  // The generation in a sector.  Throws Error(integrity), or Error(usage) for another version.
  static std::uint64_t parse(std::string_view sector, const Identity& run);

  // Reads the file.  If it is `required` and missing, that is a fault.  Throws Error(usage) for
  // another version.
  NewestCheckpoint(Disk& disk, const Identity& run, bool required);

  std::uint64_t generation() const { return generation_; }  // 0: none yet, or unknown
  const std::string& fault() const { return fault_; }       // why it is unknown; empty if known

  // Makes `generation` the newest, durably.  Creates the file if there is no usable one.
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
