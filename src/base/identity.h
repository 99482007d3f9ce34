// A number drawn at random, by which a run is known wherever it leaves something.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway {

// From the operating system: never the same again.  Throws Error(system).
std::uint64_t drawn_number();

class Identity {
 public:
  Identity() = default;  // nobody's
  static Identity drawn();

  // 32 hexadecimal digits.
  std::string hex() const;
  // Nothing: these are not what hex() returns.
  static std::optional<Identity> from_hex(std::string_view digits);
  // A part of it, for headers of blocks.
  std::uint64_t number() const { return high_; }
  bool operator==(const Identity&) const = default;

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace spillway
