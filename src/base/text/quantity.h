// Numbers as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spillway {

std::string with_commas(std::uint64_t number);  // 1,234,567
std::string bytes_text(std::uint64_t bytes);    // 3.2 GiB
std::string seconds_text(double seconds);       // 0.42 s, 3 min 07 s, 2 h 05 min

// "512M", "1.5G", "64KiB", "1000": K, M, G, T are powers of 1024.  Throws Error(usage).
std::uint64_t parse_bytes(std::string_view text);

// "90", "90s", "15m", "2h", "1h30m", "3d".  Throws Error(usage).
double parse_seconds(std::string_view text);

// An integer from 0 to 2^64-1.  Throws Error(usage).
std::uint64_t parse_count(std::string_view text);

}  // namespace spillway
