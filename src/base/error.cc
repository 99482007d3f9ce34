#include "base/error.h"

#include <fmt/format.h>

namespace spillway {

void broken_promise(const char* expression, const char* file, int line) {
  throw Error(Fault::internal,
              fmt::format("internal error: {} does not hold at {}:{}", expression, file, line));
}

}  // namespace spillway
