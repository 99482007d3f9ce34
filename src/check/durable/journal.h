// Makes a search durable: its levels go to a log, and checkpoints record how far it has come.
//
// The protocol.  A checkpoint counts as soon as its manifest durably has its name; everything it
// refers to is durable by then:
//
//   1. the files of the log are written and synced, then their directory;
//   2. the manifest is written under another name, synced, renamed, and the directory synced;
//   3. it is read back;
//   4. the file that names the newest checkpoint is updated and synced (newest_checkpoint.h), so
//      that the loss of a manifest is noticed;
//   5. only now are older files removed: manifests except the previous one, and files of the log
//      that neither of the two refers to.
//
// Numbers of generations and files are never reused, not even those of a failed attempt.  A damaged
// manifest or file is never used in part: the previous checkpoint counts then, or none.  If a file
// of the log turns out to be damaged or unreadable while it is loaded, the search starts again from
// the previous checkpoint.  Every file bears the mark of the run and its configuration; files with
// another mark are refused.
//
// Of several ranks, each has a journal of its own.  Generations have the same numbers on all of
// them, and no rank continues after step 3 before all have come so far.  So the newest checkpoint
// that all ranks have is complete, and every rank still has it: agree() finds it.
//
// tests/protocol/checkpoint.m is a model of this protocol, and tests/protocol/cluster_checkpoint.m
// of that of several ranks.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/durable/extra_files.h"
#include "check/durable/level_batches.h"
#include "check/durable/manifest_files.h"
#include "check/durable/newest_checkpoint.h"
#include "check/session/session.h"

namespace spillway {

struct JournalSettings {
  RunMark run;  // whose checkpoints count; others are refused
  // Of the model.  A checkpoint whose rows mean something else is skipped, and if there is no other
  // one, the search begins again.  Nothing: any are taken.
  RowMeaning rows = {};
  // The disk was prepared for this run, so the file that names the newest checkpoint must exist.
  bool begun = false;
  double least_seconds = 5;         // between two checkpoints
  double share = 0.01;              // of the time, for checkpoints
  std::optional<BlockShape> shape;  // of blocks in a new log; default: depends on the rows
  bool complete = true;             // also checkpoint a search that has ended
  bool product = false;             // of a product: it may have been decided
  // What the system cannot read may be readable later: that is Error(system), and no reason to go
  // back to an older checkpoint.  Damage is.
  bool patient = false;
  unsigned rank = 0, ranks = 1;        // that share the check
  std::size_t alone_bytes = 16 << 10;  // smaller batches of the log are loaded by one thread
};

class Journal final : public Checkpoints {
 public:
  // Resumes from the newest intact checkpoint on the disk, or starts from scratch if there never
  // was one.  Throws Error(integrity) if none of the existing or lost checkpoints is intact, or if
  // they have rows of another length; Error(usage) if the newest one is of another version, or if
  // there is not enough memory.  The journal of a product starts from scratch instead of throwing
  // Error(integrity).
  Journal(Disk& disk, std::size_t words, std::uint64_t memory_bytes,
          const JournalSettings& settings = {});

  // Memory that the journal needs; not available to the search.
  std::uint64_t budget_bytes() const { return budget_->limit(); }
  // Manifests that are damaged or missing, and why.
  const std::vector<std::string>& rejected() const { return rejected_; }
  // Why it is unknown whether a newer checkpoint existed; empty if it is known.
  const std::string& doubt() const { return newest_.fault(); }

  // By all ranks, before a search is made: from now on, the checkpoint to resume from is the newest
  // one that all of them have.  Throws Error(integrity) if it is not intact here, or if there
  // should be one and is none.  The journal of a product starts from scratch instead.
  void agree(Cluster& cluster);
  // The same for all journals of a run, in one process.
  static void agree(const std::vector<std::unique_ptr<Journal>>& all);
  // The checkpoint to resume from; nullptr for a new search.
  const Manifest* resumed() const override { return resumed_ ? &*resumed_ : nullptr; }
  // That is of a search that was decided.  There is nothing to load.
  bool was_decided() const;
  void load(Crew& crew, const Model* model, const LevelTaker& taker) override;
  // To be called after load() has thrown, before anything is kept: resumes from the checkpoint
  // before that one.  It may be intact, because it does not need the files of the log that only the
  // newer one refers to.  False if load() has not thrown, or if there is no such checkpoint; the
  // journal is unusable in the latter case, and that of a product starts from scratch instead.
  bool fall_back(const std::string& why);

  LevelLog& levels() { return *log_; }
  void begin_level() override { log_->begin_level(); }
  void keep_rows(States rows) override { log_->keep_rows(rows); }
  LevelKeeper& keeper(LevelKeeper& /*own*/) override { return *log_; }
  std::optional<BlockShape> blocks() const override { return log_->form().shape; }

  bool wants_complete() const { return settings_.complete; }
  Checkpoints& of_decisions() override { return settings_.ranks == 1 ? *this : none(); }
  bool due(const Session& session) override;
  void commit(const Session& session) override;
  // Makes a checkpoint of what was kept, with the levels and counts of `contents`.
  void adopt(const Manifest& contents);
  // Files beside the log (extra_files.h).
  void keep_extra(const std::string& what,
                  const std::function<void(const PutBytes&)>& fill) override;
  bool read_extra(const std::string& what,
                  const std::function<void(const GetBytes&)>& use) override;
  // From now on there is none.
  void drop_extra(const std::string& what);

  // True if the checkpoint that was resumed has all that the session has.
  bool has_all_of(const Session& session) const;
  // True if it took so long that it is worth recording what came of it.
  bool is_worth_deciding(double seconds) const;
  // Makes a last checkpoint, which says that the search is complete and nothing was found, and
  // removes all else.  Nothing changes if a rank cannot write it.  By all ranks.  REQUIRES: that is
  // so, and it is the journal of a product.
  void decide(const Session& session);
  // What the rows of the checkpoint to resume from mean is not what those of the model do.
  bool has_other_rows() const { return other_rows_; }
  std::uint64_t generation() const override { return committed_; }

  // For journals beside this one.
  Disk& disk() { return disk_; }
  const JournalSettings& settings() const { return settings_; }
  std::uint64_t memory_bytes() const { return memory_bytes_; }

 private:
  using Clock = std::chrono::steady_clock;

  void open(std::uint64_t generation);
  bool open_newest(std::uint64_t below);
  void begin_anew();
  void refuse_what_is_lost() const;
  Manifest manifest_of(const Session& session);
  void name(Manifest& manifest);
  void write(const Manifest& manifest, Cluster& cluster);
  bool is_written_by_all(const Manifest& manifest, Cluster& cluster);
  // What a rank has to resume from.
  struct Offer {
    std::uint64_t next_generation = 1;
    std::uint64_t recorded = 0;
    std::vector<std::uint64_t> generations = {};
    std::vector<std::string> rejected = {};
  };
  Offer offer() const;
  void agree(const std::vector<Offer>& all);
  void know_rejected(const std::vector<Offer>& all);
  bool means_the_same(const Manifest& manifest) const;
  void resume_from(std::uint64_t common, std::uint64_t recorded);
  void commit(Manifest manifest, Cluster& cluster);
  void remove_older(std::uint64_t before, const std::vector<LevelLog::LogFile>& parts);
  bool has_extra(std::uint64_t file) const;
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
  std::uint64_t next_extra_ = 1;
  // What the next checkpoint refers to, and what the newest one does.
  std::vector<Manifest::Extra> extras_, committed_extras_;
  std::uint64_t committed_ = 0;
  bool other_rows_ = false;                 // some checkpoint has
  bool loading_ = false;                    // load() has begun and not succeeded
  Clock::time_point last_ = Clock::now();   // end of the last checkpoint
  Clock::time_point asked_ = Clock::now();  // when it was last due
  double cost_seconds_ = 0;
};

}  // namespace spillway
