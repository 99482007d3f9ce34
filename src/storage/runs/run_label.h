// The label of a sorted run: one level of a search, or what some merge has brought together
// (merge_history.h).
#pragma once

#include <cstdint>

namespace spillway {

class RunLabel {
 public:
  RunLabel() = default;  // nobody needs to tell them apart
  static RunLabel of_level(std::uint64_t level) { return RunLabel(2 * level + 1); }
  static RunLabel of_merge(std::uint64_t merge) { return RunLabel(2 * merge + 2); }

  bool is_merge() const { return number_ != 0 && number_ % 2 == 0; }
  std::uint64_t level() const { return number_ / 2; }
  std::uint64_t merge() const { return number_ / 2 - 1; }
  bool operator==(const RunLabel&) const = default;

 private:
  explicit RunLabel(std::uint64_t number) : number_(number) {}
  std::uint64_t number_ = 0;
};

}  // namespace spillway
