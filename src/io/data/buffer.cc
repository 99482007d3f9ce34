#include "io/data/buffer.h"

namespace spillway {

std::optional<Buffer> Buffer::get(Budget& budget, std::size_t bytes) {
  std::optional<Pages> pages = Pages::get(budget, round_up_to_sector(bytes));
  if (!pages) return std::nullopt;
  return Buffer(std::move(*pages));
}

Buffer Buffer::need(Budget& budget, std::size_t bytes, std::string_view purpose) {
  if (std::optional<Buffer> buffer = get(budget, bytes)) return std::move(*buffer);
  refuse_memory(budget, bytes, purpose);
}

}  // namespace spillway
