#include "ltl/reading/bad_formula.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/lines.h"
#include "base/text/printable.h"

namespace spillway::ltl {

SourcePosition position_of(std::string_view text, std::uint32_t from, std::uint32_t to) {
  SourcePosition position{.line = 1, .column = from + 1, .from = from, .to = to};
  for (std::size_t at = 0; end_of_line(text, at) < from; ++position.line) {
    at = next_line(text, at);
    position.column = static_cast<std::uint32_t>(from - at + 1);
  }
  return position;
}

void refuse(std::string_view origin, std::string_view text, const BadFormula& bad) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const SourcePosition position =
      position_of(text, std::min(bad.from, size), std::min(bad.to, size));
  throw DiagnosedError(
      {{.where = SourceText(origin, text).range(position), .message = bad.message}}, false);
}

void check_size(std::string_view origin, std::size_t bytes, std::size_t most) {
  if (bytes > most)
    throw Error(Fault::model, fmt::format("{}: {} bytes are too many; at most {} are read",
                                          printable(origin), bytes, most));
}

}  // namespace spillway::ltl
