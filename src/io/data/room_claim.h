// The share of the disk limit that one file of a search takes.
#pragma once

#include <cstdint>

#include "base/memory/budget.h"

namespace spillway {

// Not thread-safe.
class RoomClaim {
 public:
  // `room` may be nullptr: no limit.  An existing file claims its `bytes`, or all that is left if
  // that is less.
  explicit RoomClaim(Budget* room, std::uint64_t bytes = 0) : room_(room) {
    if (room_ != nullptr && !reach(bytes)) static_cast<void>(reach(room_->left()));
  }
  ~RoomClaim() { fall_back_to(0); }
  RoomClaim(const RoomClaim&) = delete;
  RoomClaim& operator=(const RoomClaim&) = delete;

  // False if there is no room for a file of this length.
  [[nodiscard]] bool reach(std::uint64_t bytes) {
    if (room_ == nullptr || bytes <= bytes_) return true;
    if (!room_->draw(bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
  }
  void fall_back_to(std::uint64_t bytes) {
    if (room_ == nullptr || bytes >= bytes_) return;
    room_->give_back(bytes_ - bytes);
    bytes_ = bytes;
  }
  std::uint64_t left() const { return room_->left(); }

 private:
  Budget* const room_;
  std::uint64_t bytes_ = 0;
};

}  // namespace spillway
