#include "storage/table/table_entry.h"

namespace spillway {

Pages table_pages(Budget& budget, std::size_t bytes, std::string_view purpose) {
  if (std::optional<Pages> pages = Pages::get(budget, bytes)) return std::move(*pages);
  refuse_memory(budget, bytes, purpose);
}

}  // namespace spillway
