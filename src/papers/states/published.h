// Common parts of the algorithms of the papers: one thread, rows and their keys, and levels.
//
// Queues hold rows, visited sets hold keys.  A key is the first words of its row: the whole state,
// or, with signatures, one word made of the state, which then stands in front of it.  So what the
// papers call the signature of a state is key(s) here, and an algorithm does not know which of the
// two it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/process/activity.h"
#include "check/session/search.h"
#include "papers/states/counts.h"
#include "papers/storage/state_file.h"
#include "papers/storage/state_queue.h"
#include "papers/storage/state_table.h"

namespace spillway {

// Sizes that only tests and measurements set; 0: chosen from the budget.
struct Sizes {
  std::uint64_t table_bytes = 0;  // of the table of the algorithm
  std::uint64_t cache_bytes = 0;  // of the cache in front of it, where there is one
  std::size_t open_blocks =
      32;  // of all files and queues, in memory at a time: together an eighth of the budget
  std::size_t block_bytes = 0;    // of files and queues
  std::size_t block_rows = 0;     // in a block at most
  std::size_t partitions = 0;     // at first
  std::uint64_t count_bytes = 0;  // of the table that counts each state once
  bool counting = true;           // otherwise states that are expanded twice are counted twice
};

// Whether an algorithm may expand a state more than once.
enum class Revisits { never, possible };

// What an algorithm works with.  It outlives the algorithm and its tables.
class Workbench {
 public:
  Workbench(const SearchContext& context, const Sizes& sizes, Revisits revisits);

  const Sizes& sizes() const { return sizes_; }
  Budget& budget() { return budget_; }
  Session& session() { return session_; }

  State key(State row) const { return row.first(keys.shape().key); }

  // Rows, valid until the next call of either.
  States initial();
  States expand(State row);  // none when successors need not be stored any more

  // So many rows are waiting to be expanded as level 0; as the next level.  May throw Finished.
  void begin(std::uint64_t rows);
  void end_level(std::uint64_t next_rows);

  std::uint64_t stored() const { return stored_; }
  std::optional<std::vector<Level>> levels_once();

 private:
  States as_rows(States states);
  bool count_part(StateTable& seen, std::size_t part, std::size_t parts,
                  std::vector<Level>& levels);

  Session& session_;
  Budget& budget_;
  const Sizes sizes_;
  const Signatures signatures_;
  std::vector<Word> made_;           // successors as rows, with signatures
  std::uint64_t stored_ = 0;         // rows that were to be expanded
  std::vector<std::uint64_t> ends_;  // of the levels in `expanded_`

 public:
  Store rows;
  Store keys;

 private:
  std::optional<StateFile> expanded_;  // keys in the order of expansion, if states may come twice
};

// The base of an algorithm.
class Published {
 public:
  explicit Published(Workbench& workbench)
      : session(workbench.session()),
        rows(workbench.rows),
        keys(workbench.keys),
        workbench_(workbench) {}
  virtual ~Published() = default;
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  // Returns once every reachable state has been expanded; may throw Finished before.
  virtual void search() = 0;
  // What it has done, whether search() has returned or not.
  virtual Counters counters() const = 0;

 protected:
  State key(State row) const { return workbench_.key(row); }
  States initial() { return workbench_.initial(); }
  States expand(State row) { return workbench_.expand(row); }
  void begin(std::uint64_t count) { workbench_.begin(count); }
  void end_level(std::uint64_t next) { workbench_.end_level(next); }
  // So many bytes, or this part of the budget if it is 0.
  std::uint64_t bytes(std::uint64_t wanted, double part) const;
  const Sizes& sizes() const { return workbench_.sizes(); }

  Session& session;
  Store& rows;
  Store& keys;

 private:
  Workbench& workbench_;
};

using MakePublished = std::function<std::unique_ptr<Published>(Workbench&)>;
std::unique_ptr<Search> make_published(const SearchContext& context, const Sizes& sizes,
                                       Revisits revisits, MakePublished make);

// A queue for each of two levels: the one that is being expanded, and the next.
class LevelQueue {
 public:
  explicit LevelQueue(Store& store)
      : queues_{StateQueue(store, "level"), StateQueue(store, "level")} {}

  void push(State row) { queues_[1 - current_].push(row); }  // to the next level
  // of this one; valid until the next pop()
  std::optional<State> pop() { return queues_[current_].pop(); }
  std::uint64_t next_size() const { return queues_[1 - current_].size(); }
  std::uint64_t size() const { return queues_[0].size() + queues_[1].size(); }
  // The next level is the current one now; false: it is empty.
  bool advance() {
    current_ = 1 - current_;
    return !queues_[current_].empty();
  }

 private:
  StateQueue queues_[2];
  unsigned current_ = 0;
};

}  // namespace spillway
