// Large zeroed memory straight from the operating system: huge pages where there are any, drawn from the
// budget, and given back piece by piece.
#pragma once

#include <cstddef>
#include <optional>

#include "base/budget.h"

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

  // Zeroed memory of `bytes` bytes; aligned to kPiece when that large, to 4 KiB otherwise.  Nothing when
  // the budget or the system refuses.
  static std::optional<Pages> get(Budget& budget, std::size_t bytes);
  // The same for what a search cannot begin without: throws Error(usage) instead.
  static Pages need(Budget& budget, std::size_t bytes);

  // New pages, larger than `old`, into which its contents are going to be moved.  They take over what
  // `old` has drawn from the budget and draw the difference and `slack_bytes` besides.
  // REQUIRES: the caller touches new pages only as fast as it releases old ones, up to the slack.
  static std::optional<Pages> replacing(Pages& old, std::size_t bytes, std::size_t slack_bytes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  // The whole pieces inside [from, to) are no longer needed: their memory goes back to the system, and
  // reading them gives zeros.  Any thread, disjoint ranges.
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
