// Dynamic path management (DPM) of Wu et al.: two stacks that share room in memory, and go on on
// disk.
//
// When the room is full, a share rho of each stack goes to disk, from its bottom.  When a stack has
// nothing left in memory, a share of the free room comes back.  After entries have gone to disk, at
// most half of the free room is filled again, so that a search that goes up and down at the border
// does not move the same entries each time.  One thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/memory/pages.h"
#include "papers/storage/state_stack.h"

namespace spillway {

struct PathCounts {
  std::uint64_t spills = 0, reloads = 0;
  std::uint64_t moved = 0;  // entries, by both
  std::uint64_t deepest = 0;
};

class DynamicPath {
 public:
  enum Stack : std::size_t { outer, inner };

  // The store has rows of a key and a word of notes.  `room`: entries in memory, at least 1.
  // `rho`: in (0, 1].
  DynamicPath(Store& store, std::uint64_t room, double rho);

  bool empty(Stack stack) const { return size(stack) == 0; }
  std::uint64_t size(Stack stack) const { return in_memory_[stack] + on_disk_[stack].size(); }

  void push(Stack stack, State key, Word note);
  // The row on top, with its note.  Valid until the next call of anything.  REQUIRES: not empty.
  std::span<Word> top(Stack stack);
  void pop(Stack stack);
  // All keys, the oldest first.  The stack is empty afterwards.
  std::vector<std::vector<Word>> take(Stack stack);

  const PathCounts& counts() const { return counts_; }

 private:
  Word* row(Stack stack, std::uint64_t i) const {
    return rows_ + (stack == outer ? i : room_ - 1 - i) * shape_.words();
  }
  std::uint64_t share(std::uint64_t of) const {
    return static_cast<std::uint64_t>(static_cast<double>(of) * rho_);
  }
  void spill();
  void spill(Stack stack, std::uint64_t count);
  void reload(Stack stack);

  const Shape shape_;
  const std::uint64_t room_;
  const double rho_;
  Pages pages_;
  Word* rows_;  // outer from the beginning, inner from the end
  std::array<std::uint64_t, 2> in_memory_ = {};
  std::array<StateStack, 2> on_disk_;
  bool has_spilled_ = false;  // since the last reload
  PathCounts counts_;
};

}  // namespace spillway
