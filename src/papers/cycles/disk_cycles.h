// Common parts of the searches on disk for accepting cycles: set states, their files, and how they
// count.
//
// A state may be expanded more than once: with several acceptance sets it has several set states,
// and values are propagated again.  It is counted once where the set of all set states is known.
#pragma once

#include <optional>
#include <vector>

#include "check/session/search.h"
#include "papers/cycles/delayed_levels.h"
#include "papers/cycles/set_state_ways.h"
#include "papers/cycles/set_states.h"

namespace spillway {

// Sizes that only tests change; 0: chosen from the budget.
struct DiskCyclesSettings {
  std::uint64_t sort_rows = 0;  // in memory at a time
  std::size_t fan_in = 8;       // sorted files that are merged at a time
  std::size_t most_runs = 8;    // sorted files of what has been met
  std::size_t block_rows = 0;   // of a file, at most
  std::size_t block_bytes = 0;
};

class DiskCyclesSearch : public Search {
 public:
  DiskCyclesSearch(const SearchContext& context, const DiskCyclesSettings& settings);

  std::uint64_t stored() const override { return stored_; }
  bool decides_acceptance() const override { return true; }
  std::optional<std::vector<Level>> levels_once() override {
    return once_ ? std::optional(std::vector<Level>{*once_}) : std::nullopt;
  }

 protected:
  // Rows of set states with so many words of notes.  `label` is a literal.
  Store make_store(std::size_t note_words, std::string_view label);
  FileSort make_sort(Store& store, EqualKeys equal = EqualKeys::greatest) const;
  DelayedSettings delayed(const Store& store) const;
  // Counts the states of a sorted file of set states, each once.
  void count_once(StateFile& set_states);
  // SetStates that are put where they will be expanded by SetStates::expand().
  void have_stored(std::uint64_t count) { stored_ += count; }

  // The run that goes to the last set state of `loop`, and round the loop for ever.
  [[noreturn]] void report_loop(Store& store, const std::vector<SetStateRow>& loop);

  SetStates set_states;

 private:
  const DiskCyclesSettings settings_;
  std::uint64_t stored_ = 0;
  std::optional<Level> once_;
};

}  // namespace spillway
