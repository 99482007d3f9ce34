// Large zeroed memory straight from the operating system: in huge pages where available, drawn from
// the budget, and releasable piece by piece.
#pragma once

#include <cstddef>
#include <optional>

#include "base/memory/budget.h"

namespace spillway {

class Pages {
 public:
  static constexpr std::size_t kPiece = std::size_t{2} << 20;  // the size of a huge page

  Pages() = default;
  Pages(Pages&& other) noexcept { swap(other); }
  Pages& operator=(Pages&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Pages();

  // Zeroed memory of `bytes` bytes, rounded up to 4 KiB; aligned to kPiece if at least that large,
  // to 4 KiB otherwise.  std::nullopt if the budget or the system refuses.
  static std::optional<Pages> get(Budget& budget, std::size_t bytes);
  // Same, for memory that a search cannot start without: throws Error(usage) if refused.
  static Pages need(Budget& budget, std::size_t bytes);

  // New pages, at least as large as `old`, for moving its contents to.  They take over what `old`
  // has drawn from the budget, and draw the difference plus `slack_bytes`.
  // REQUIRES: the caller touches new pages only as fast as it releases old ones, up to the slack.
  static std::optional<Pages> replacing(Pages& old, std::size_t bytes, std::size_t slack_bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  // Returns the memory of all complete pieces inside [from, to) to the system; they read as zeros
  // from then on.  The budget is not credited.  Any thread, for disjoint ranges.
  void release(std::size_t from, std::size_t to);

 private:
  static std::optional<Pages> map(Budget& budget, std::size_t bytes);
  void swap(Pages& other) noexcept;

  Budget* budget_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t drawn_ = 0;  // from the budget
};

}  // namespace spillway
