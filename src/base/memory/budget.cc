#include "base/memory/budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {

bool Budget::draw(std::uint64_t bytes) {
  return draw_now(bytes) || (ask_for_spare() && draw_now(bytes));
}

bool Budget::draw_now(std::uint64_t bytes) {
  std::uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  if (whole_ != nullptr && !whole_->draw(bytes)) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  const std::uint64_t now = used + bytes;
  std::uint64_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < now && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  return true;
}

void Budget::may_ask(Spare& spare) {
  const std::lock_guard lock(mutex_);
  spare_.push_back(&spare);
}

void Budget::drop(Spare& spare) {
  const std::lock_guard lock(mutex_);
  std::erase(spare_, &spare);
}

bool Budget::ask_for_spare() {
  const std::lock_guard lock(mutex_);
  for (Spare* spare : spare_) spare->free_spare();
  return !spare_.empty();
}

void Budget::give_back(std::uint64_t bytes) {
  const std::uint64_t before = used_.fetch_sub(bytes, std::memory_order_relaxed);
  SPILLWAY_CHECK(before >= bytes);
  if (whole_ != nullptr) whole_->give_back(bytes);
}

void refuse_memory(const Budget& budget, std::uint64_t bytes, std::string_view purpose) {
  throw Error(
      Fault::usage,
      fmt::format("{} needs {}, but only {} of the memory budget of {} is left: raise --memory",
                  purpose, bytes_text(bytes), bytes_text(budget.left()),
                  bytes_text(budget.limit())));
}

}  // namespace spillway
