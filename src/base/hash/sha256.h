// SHA-256, as 64 hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace spillway {

std::string sha256(std::string_view text);
// Digest of the contents of a file; empty if it cannot be read.
std::string sha256_of(const std::string& path);

}  // namespace spillway
