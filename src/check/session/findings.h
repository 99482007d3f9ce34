// The violations that a search has found: of each property one, whatever the order in which threads
// found them.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "check/facts/finding.h"

namespace spillway {

class Findings {
 public:
  // Of all findings of a property, the one at the least depth counts, and of those the one with the
  // smallest state.  Any thread.
  void add(Finding finding);
  // Adds those of another part of the same search.
  void merge(const Findings& others);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return count_.load(std::memory_order_relaxed); }
  // By kind and property.  REQUIRES: no thread adds any more.
  const std::vector<Finding>& all() const { return all_; }

  // What was found so far stays: no deeper state can be better.  From now on, nothing more need be
  // added for these properties.  REQUIRES: no thread adds meanwhile.
  void settle();
  // Any thread.
  bool is_settled(PropertyKind kind, PropertyIndex property) const;

 private:
  using Key = std::pair<PropertyKind, PropertyIndex>;

  std::mutex mutex_;
  std::vector<Finding> all_;
  std::atomic<std::size_t> count_{0};
  std::vector<Key> settled_;  // in order
};

}  // namespace spillway
