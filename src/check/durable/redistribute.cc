#include "check/durable/redistribute.h"

#include <algorithm>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "check/ranks/owners.h"

namespace spillway {
namespace {

using Journals = std::vector<std::unique_ptr<Journal>>;

// Reads everything once, so that nothing is taken over that is not intact.
void check_log(Journal& journal, Crew& crew) {
  const auto prepare = [](std::uint64_t) {
    stop_request::obey();
    return true;
  };
  journal.load(crew, nullptr, {prepare, [](unsigned, States rows) { return rows.size(); }});
}

// False: one is not, and has an older checkpoint now.
bool are_intact(const Journals& from, Crew& crew) {
  for (const std::unique_ptr<Journal>& journal : from) try {
      check_log(*journal, crew);
    } catch (const Error& error) {
      if (error.fault() != Fault::integrity || !journal->fall_back(error.what())) throw;
      return false;
    }
  return true;
}

// What all parts together know, besides their states.
Manifest together(const Journals& from) {
  Manifest all;
  all.levels.resize(from.front()->resumed()->levels.size());
  for (const std::unique_ptr<Journal>& journal : from) {
    const Manifest& one = *journal->resumed();
    if (one.levels.size() != all.levels.size())
      throw Error(Fault::integrity, "the parts of the run have checkpoints of different levels");
    for (std::size_t i = 0; i < one.levels.size(); ++i)
      all.levels[i].transitions += one.levels[i].transitions;
    if (&journal != &from.front() && one.rows != all.rows)
      throw Error(Fault::integrity, "the parts of the run have states of different forms");
    all.rows = one.rows;
    all.seconds = std::max(all.seconds, one.seconds);
    all.found = one.found;  // all ranks have the same
    all.covered.insert(all.covered.end(), one.covered.begin(), one.covered.end());
    Observed observed = one.observed;
    all.observed.take(observed);
  }
  std::ranges::sort(all.covered);
  all.covered.erase(std::unique(all.covered.begin(), all.covered.end()), all.covered.end());
  return all;
}

// Writes rows to the logs of those that they belong to, and counts them.
class Sharing {
 public:
  Sharing(const Journals& to, std::size_t levels)
      : to_(to),
        owners_(static_cast<unsigned>(to.size())),
        counted_(to.size(), std::vector<Level>(levels + 1)),
        rows_(to.size()) {}

  void begin_level() {
    for (const std::unique_ptr<Journal>& journal : to_) journal->levels().begin_level();
  }
  void share(std::uint64_t level, States states) {
    for (const State state : states) {
      const unsigned rank = owners_.of(state);
      rows_[rank].insert(rows_[rank].end(), state.begin(), state.end());
      ++counted_[rank][level].states;
      counted_[rank][level].digest.add(state);
    }
    for (unsigned rank = 0; rank < to_.size(); ++rank) {
      const std::size_t words = to_[rank]->levels().form().shape.words;
      if (!rows_[rank].empty())
        to_[rank]->levels().keep_rows({rows_[rank].data(), rows_[rank].size() / words, words});
      rows_[rank].clear();
    }
  }
  const std::vector<Level>& of(unsigned rank) const { return counted_[rank]; }

 private:
  const Journals& to_;
  const Owners owners_;
  std::vector<std::vector<Level>> counted_;
  std::vector<std::vector<Word>> rows_;
};

void share_level(Journal& from, std::uint64_t level, Sharing& sharing) {
  LevelLog& log = from.levels();
  log.each_batch(level, log.form().shape, [&](States rows) {
    stop_request::obey();
    sharing.share(level, rows);
  });
}

// The part of this rank, with what only the first one has.
Manifest part_of(const Manifest& all, unsigned rank, const std::vector<Level>& counted) {
  Manifest part = all;
  part.level_states = counted.back().states;
  for (std::size_t i = 0; i < part.levels.size(); ++i) {
    part.levels[i].states = counted[i].states;
    part.levels[i].digest = counted[i].digest;
    if (rank != 0) part.levels[i].transitions = 0;
  }
  if (rank != 0) {
    std::ranges::fill(part.observed.counters, 0);
    std::ranges::fill(part.observed.marks, std::uint8_t{0});
  }
  return part;
}

}  // namespace

void redistribute(const Journals& from, const Journals& to, Crew& crew) {
  do {
    Journal::agree(from);
    if (!from.front()->resumed()) return;
  } while (!are_intact(from, crew));
  const Manifest all = together(from);
  Sharing sharing(to, all.levels.size());
  for (std::uint64_t level = 0; level <= all.levels.size(); ++level) {
    sharing.begin_level();
    for (const std::unique_ptr<Journal>& journal : from) share_level(*journal, level, sharing);
  }
  for (unsigned rank = 0; rank < to.size(); ++rank)
    to[rank]->adopt(part_of(all, rank, sharing.of(rank)));
}

}  // namespace spillway
