// Keeps a search from being lost: its levels go into a log, and now and then a checkpoint says how far it has come.
//
// The protocol.  A checkpoint counts from the moment its manifest has its name for certain, and then everything that it
// speaks of is on disk for certain:
//   1. the files of the log are written out and synced, then their directory;
//   2. the manifest is written under another name, synced, renamed, and the directory synced;
//   3. it is read back;
//   4. a file that says which checkpoint is the newest is changed and synced (newest_checkpoint.h), so that a manifest
//      that is lost later is missed;
//   5. only now older files go: manifests but the one before, and files of the log that none of the two speaks of.
// Numbers of generations and files are never used again, not even those of an attempt that failed.  A manifest or file
// that is not whole is never taken for less than it says: the one before counts then, or nothing.  So it is when a file
// turns out to be damaged, or cannot be read: the search begins again with the checkpoint before.  All of it bears the
// mark of the run and of its configuration; what has another one is refused.
// tests/protocol/checkpoint.m is a model of it.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/level_batches.h"
#include "run/manifest_files.h"
#include "run/newest_checkpoint.h"
#include "run/run.h"

namespace spillway {

struct JournalSettings {
  RunMark run;         // whose checkpoints count; all others are refused
  bool begun = false;  // the disk has been prepared for this run: a file that says which is the newest must be there
  double least_seconds = 5;            // between two checkpoints
  double share = 0.01;                 // of the time, for checkpoints
  std::optional<BlockShape> shape;     // of blocks in a new log; otherwise as the rows want it
  bool complete = true;                // a last checkpoint also when nothing is left to search
  std::size_t alone_bytes = 16 << 10;  // of the log: reading back no more is not worth waking threads
};

class Journal {
 public:
  // Goes on where the newest checkpoint on the disk that is whole was made; from the beginning when there never was
  // one.  Throws Error(integrity) when there are or were some and none is whole, or when they are of other rows, and
  // Error(usage) when the newest is of another version, or there is not enough memory.
  Journal(Disk& disk, std::size_t words, std::uint64_t memory_bytes, const JournalSettings& settings = {});

  // Memory that it needs, not to be given to the search.
  std::uint64_t budget_bytes() const { return budget_->limit(); }
  // Manifests that were not whole or are missing, and why.
  const std::vector<std::string>& rejected() const { return rejected_; }
  // Why it is not known whether there was a newer one; empty: it is known.
  const std::string& doubt() const { return newest_.fault(); }

  // What the search goes on from; nothing: it begins.
  const std::optional<Manifest>& resumed() const { return resumed_; }
  // Gives all states of it to the taker.  Throws Error(integrity) if they are not those that were expanded, which is
  // known only at the end.
  void load(Crew& crew, const LevelTaker& taker);
  // After load() has thrown, and before anything was kept: goes on where the newest checkpoint before that one was
  // made, which may be whole, because the files of the log that only the newer one speaks of do not matter to it.
  // False: there is none, and the journal is of no use any more.
  bool fall_back(const std::string& why);

  LevelLog& levels() { return *log_; }

  bool wants_complete() const { return settings_.complete; }
  // Whether it is time for a checkpoint.
  bool due();
  // Makes one.  REQUIRES: the log has all states of the levels up to the current one of the run.
  void commit(const Run& run);
  // Of the newest checkpoint; 0: there is none.
  std::uint64_t generation() const { return committed_; }

 private:
  using Clock = std::chrono::steady_clock;

  void open(std::uint64_t generation);
  bool open_newest(std::uint64_t below);
  void begin_anew();
  void remove_older(std::uint64_t before);
  double seconds_since(Clock::time_point then) const;

  Disk& disk_;
  const JournalSettings settings_;
  ManifestFiles files_{disk_, settings_.run};
  NewestCheckpoint newest_{disk_, settings_.run.identity, settings_.begun};
  const BlockShape shape_;
  const std::uint64_t memory_bytes_;
  std::optional<Budget> budget_;
  std::vector<std::string> rejected_;
  std::optional<Manifest> resumed_;
  std::unique_ptr<LevelLog> log_;
  std::uint64_t next_generation_ = std::max(files_.next_generation(), newest_.generation() + 1);
  std::uint64_t next_file_ = 1;
  std::uint64_t committed_ = 0;
  bool loading_ = false;                    // begun, and not ended
  Clock::time_point last_ = Clock::now();   // end of the last checkpoint
  Clock::time_point asked_ = Clock::now();  // beginning of the next
  double cost_seconds_ = 0;
};

}  // namespace spillway
