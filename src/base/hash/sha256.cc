#include "base/hash/sha256.h"

#include <sha256.h>

#include <array>
#include <cstdint>

namespace spillway {

std::string sha256(std::string_view text) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digits.data());
  return digits.data();
}

std::string sha256_of(const std::string& path) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digits{};
  return SHA256File(path.c_str(), digits.data()) != nullptr ? digits.data() : "";
}

}  // namespace spillway
