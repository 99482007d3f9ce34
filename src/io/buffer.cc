#include "io/buffer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"

namespace spillway {

std::optional<Buffer> Buffer::get(Budget& budget, std::size_t bytes) {
  std::optional<Pages> pages = Pages::get(budget, round_up_to_sector(bytes));
  if (!pages) return std::nullopt;
  return Buffer(std::move(*pages));
}

Buffer Buffer::need(Budget& budget, std::size_t bytes, std::string_view purpose) {
  if (std::optional<Buffer> buffer = get(budget, bytes)) return std::move(*buffer);
  throw Error(
      Fault::usage,
      fmt::format("{} needs {}, but only {} of the memory budget of {} is left: raise --memory",
                  purpose, bytes_text(bytes), bytes_text(budget.left()),
                  bytes_text(budget.limit())));
}

}  // namespace spillway
