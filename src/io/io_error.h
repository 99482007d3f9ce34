// The sentences in which the operating system's refusals are told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace spillway {

// Beside the numbers of the system: the files of a search would take more than they may.
inline constexpr int kOverLimit = 5000;

// "FILE: cannot read 65,536 bytes at offset 131,072: Input/output error (EIO); REMEDY"
// Of a write for which there is no room, with the room that there is: "..., 12.0 KiB are free, at least ... more ..."
Error transfer_error(std::string_view file, std::string_view verb, std::uint64_t bytes, std::uint64_t offset,
                     int number, std::optional<std::uint64_t> room_left = {});

// "FILE: cannot create: No space left on device (ENOSPC); REMEDY"
Error operation_error(std::string_view file, std::string_view verb, int number);

// Repeats a system call as long as a signal interrupts it; `call` returns what errno is, or 0.
template <class Call>
int uninterrupted(Call call) {
  constexpr int kInterrupted = 4;
  int number = call();
  for (int i = 0; number == kInterrupted && i < 100; ++i) number = call();
  return number;
}

}  // namespace spillway
