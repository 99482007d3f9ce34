// Error messages for failed system calls.
#pragma once

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace spillway {

// An error number beside those of the system: the files of a search would exceed --disk-limit.
inline constexpr int kOverLimit = 5000;

// "FILE: cannot read 65,536 bytes at offset 131,072: Input/output error (EIO); REMEDY"
//
// For a write without room, `room_left` adds ", 12.0 KiB are free, at least ... more are needed".
Error transfer_error(std::string_view file, std::string_view verb, std::uint64_t bytes,
                     std::uint64_t offset, int number, std::optional<std::uint64_t> room_left = {});

// "FILE: cannot create: No space left on device (ENOSPC); REMEDY"
Error operation_error(std::string_view file, std::string_view verb, int number);

// "FILE: cannot create: No space left on device".
Error text_error(std::string_view file, std::string_view verb, int number);

// "FILE: not a file of a run: it is a symbolic link".  Error(integrity).
Error not_of_a_run(std::string_view file, std::string_view why);

// Repeats a system call while signals interrupt it, up to a hundred times.  `call` returns errno,
// or 0.
template <class Call>
int uninterrupted(Call call) {
  int number = call();
  for (int i = 0; number == EINTR && i < 100; ++i) number = call();
  return number;
}

}  // namespace spillway
