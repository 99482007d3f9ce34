// Memory for direct I/O, drawn from the budget.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/memory/budget.h"
#include "base/memory/pages.h"

namespace spillway {

// Offsets and lengths of all transfers, and addresses of buffers, are multiples of this.
inline constexpr std::size_t kSector = 4096;

constexpr std::size_t round_up_to_sector(std::size_t bytes) {
  return (bytes + kSector - 1) / kSector * kSector;
}

class Buffer {
 public:
  Buffer() = default;

  // Zeroed; `bytes` is rounded up to sectors.  std::nullopt if the budget or the system refuses.
  static std::optional<Buffer> get(Budget& budget, std::size_t bytes);
  // Same, but throws Error(usage) if refused; `purpose` is the subject of the message.
  static Buffer need(Budget& budget, std::size_t bytes, std::string_view purpose);

  std::byte* data() const { return pages_.data(); }
  std::size_t size() const { return pages_.size(); }
  std::span<std::byte> all() const { return {data(), size()}; }
  std::span<std::byte> first(std::size_t bytes) const { return all().first(bytes); }

 private:
  explicit Buffer(Pages pages) : pages_(std::move(pages)) {}

  Pages pages_;
};

}  // namespace spillway
