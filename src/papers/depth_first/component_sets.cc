#include "papers/depth_first/component_sets.h"

#include <utility>

namespace spillway {

StepNode ComponentSets::find(StepNode node) {
  for (;;) {
    Entry& entry = entries_[node];
    const StepNode parent = entry.parent - 1;
    if (entry.parent == 0 || parent == node) return node;
    entry.parent = entries_[parent].parent;  // half of the way for those who come later
    node = parent;
  }
}

ComponentSets::Entered ComponentSets::enter(StepNode node, unsigned worker) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[node];
  if (entry.parent == 0) {
    entry.parent = node + 1;
    entry.next = entry.head = node;
  }
  Entry& root = entries_[find(node)];
  const std::uint64_t bit = std::uint64_t{1} << worker;
  if (root.complete) return Entered::complete;
  if ((root.workers & bit) != 0) return Entered::again;
  root.workers |= bit;
  return Entered::first;
}

std::optional<StepNode> ComponentSets::pick(StepNode node) {
  const std::lock_guard lock(mutex_);
  Entry& root = entries_[find(node)];
  if (root.complete) return std::nullopt;
  for (StepNode at = root.head;;) {
    Entry& entry = entries_[at];
    if (!entry.removed) {
      root.head = entry.next;  // the next thread takes another one
      return at;
    }
    if (entry.next == at) {
      root.complete = true;
      return std::nullopt;
    }
    if (const Entry& next = entries_[entry.next]; next.removed)
      entry.next = next.next;
    else
      at = entry.next;
    root.head = at;
  }
}

void ComponentSets::remove(StepNode node) {
  const std::lock_guard lock(mutex_);
  entries_[node].removed = true;
}

bool ComponentSets::are_together(StepNode a, StepNode b) {
  const std::lock_guard lock(mutex_);
  return find(a) == find(b);
}

void ComponentSets::unite(StepNode a, StepNode b) {
  const std::lock_guard lock(mutex_);
  const StepNode root = find(a);
  const StepNode other = find(b);
  if (root == other) return;
  Entry& kept = entries_[root];
  Entry& joined = entries_[other];
  joined.parent = root + 1;
  kept.workers |= joined.workers;
  kept.met |= joined.met;
  std::swap(entries_[kept.head].next, entries_[joined.head].next);
}

bool ComponentSets::add_step(StepNode node, SetMask mark) {
  const std::lock_guard lock(mutex_);
  Entry& root = entries_[find(node)];
  root.met |= mark;
  return (root.met & wanted_) == wanted_;
}

}  // namespace spillway
