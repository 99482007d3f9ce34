#include "papers/cycles/delayed_levels.h"

#include <algorithm>

namespace spillway {

DelayedLevels::DelayedLevels(Store& store, FileSort& sort, const DelayedSettings& settings,
                             StateFile* within, bool keeps_levels)
    : store_(store), sort_(sort), settings_(settings), within_(within) {
  if (keeps_levels) log_ = std::make_unique<StateFile>(store, "levels");
}

std::vector<StateFile*> DelayedLevels::files() const {
  std::vector<StateFile*> all;
  for (const auto& run : runs_) all.push_back(run.get());
  return all;
}

StateFile* DelayedLevels::next_level() {
  const std::unique_ptr<StateFile> candidates = sort_.sorted();
  auto level = std::make_unique<StateFile>(store_, "level");
  {
    MergedRows met(store_, files(), EqualKeys::greatest);
    std::vector<StateFile*> allowed;
    if (within_ != nullptr) allowed.push_back(within_);
    MergedRows within(store_, allowed, EqualKeys::greatest);
    for (const State row : candidates->scan()) {
      const Word* const before = met.find(row.data());
      if (before != nullptr && !note_above(store_.shape(), row.data(), before)) continue;
      if (within_ != nullptr && within.find(row.data()) == nullptr) continue;
      level->append(row);
      if (log_) log_->append(row);
    }
  }
  finish_writing(*level);
  if (level->empty()) return nullptr;
  merge_runs();
  met_ += level->size();
  ends_.push_back(met_);
  runs_.push_back(std::move(level));
  return runs_.back().get();
}

// Those that are not larger than all behind them together, so a row is rarely written again.
void DelayedLevels::merge_runs() {
  if (runs_.size() < settings_.most_runs) return;
  std::size_t first = runs_.size() - 2;
  std::uint64_t behind = runs_.back()->size();
  for (std::size_t i = runs_.size() - 1; i-- > 0; behind += runs_[i]->size())
    if (runs_[i]->size() <= behind) first = i;
  std::vector<StateFile*> some = files();
  some.erase(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(first));
  std::unique_ptr<StateFile> one = merged(store_, some, EqualKeys::greatest);
  runs_.resize(first);
  runs_.push_back(std::move(one));
}

bool DelayedLevels::has(State key) {
  MergedRows met(store_, files(), EqualKeys::greatest);
  return met.find(key.data()) != nullptr;
}

std::unique_ptr<StateFile> DelayedLevels::take() {
  if (runs_.size() != 1) {
    std::unique_ptr<StateFile> one = merged(store_, files(), EqualKeys::greatest);
    runs_.clear();
    return one;
  }
  std::unique_ptr<StateFile> one = std::move(runs_.front());
  runs_.clear();
  return one;
}

}  // namespace spillway
