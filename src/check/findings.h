// The violations that a search has found: of each property one, whatever the order in which threads
// found them.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "check/finding.h"

namespace spillway {

class Findings {
 public:
  // Of all findings of a property, the one at the least depth counts, and of those the one with the
  // smallest state.  Any thread.
  void add(Finding finding);
  // Adds those of another part of the same search.
  void merge(const Findings& others);

  bool empty() const { return !any_.load(std::memory_order_relaxed); }
  // By kind and property.  REQUIRES: no thread adds any more.
  const std::vector<Finding>& all() const { return all_; }

 private:
  std::mutex mutex_;
  std::vector<Finding> all_;
  std::atomic<bool> any_{false};
};

}  // namespace spillway
