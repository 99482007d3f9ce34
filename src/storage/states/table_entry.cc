#include "storage/states/table_entry.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"

namespace spillway {

Pages table_pages(Budget& budget, std::size_t bytes, std::string_view purpose) {
  if (std::optional<Pages> pages = Pages::get(budget, bytes)) return std::move(*pages);
  throw Error(
      Fault::usage,
      fmt::format("{} needs {}, but only {} of the memory budget of {} is left: raise --memory",
                  purpose, bytes_text(bytes), bytes_text(budget.left()),
                  bytes_text(budget.limit())));
}

}  // namespace spillway
