#include "base/memory/claim.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {

Claim::Claim(Budget& budget, std::uint64_t bytes) : bytes_(bytes) {
  if (!budget.draw(bytes))
    throw Error(
        Fault::memory,
        fmt::format("{} more is needed, but only {} of the memory budget of {} is left",
                    bytes_text(bytes), bytes_text(budget.left()), bytes_text(budget.limit())));
  budget_ = &budget;
}

}  // namespace spillway
