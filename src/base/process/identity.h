// A random number that identifies a run in every file it writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway {

// A random number from the operating system.  Throws Error(system).
std::uint64_t drawn_number();

class Identity {
 public:
  Identity() = default;  // all zeros: belongs to no run
  static Identity drawn();

  // 32 hexadecimal digits.
  std::string hex() const;
  // std::nullopt if `digits` is not a result of hex().
  static std::optional<Identity> from_hex(std::string_view digits);
  // The first half, for headers of blocks.
  std::uint64_t number() const { return high_; }
  bool operator==(const Identity&) const = default;

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace spillway
