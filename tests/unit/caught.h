// The Error that a piece of code ends with, so that tests can look at its fault and its sentence.
#pragma once

#include <optional>

#include "base/error.h"

namespace spillway {

// Nothing when `code` throws no Error.
template <class Code>
std::optional<Error> caught(Code code) {
  try {
    code();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace spillway
