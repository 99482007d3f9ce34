#include "language/murphi/source.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/excerpt.h"
#include "base/printable.h"

namespace spillway::murphi {

// Lines end as the lexer counts them: with LF, CR LF or CR.
std::string_view Source::line(std::uint32_t number) const {
  std::size_t start = 0;
  for (std::uint32_t at = 1; at < number; ++at) {
    const std::size_t end = text_.find_first_of("\r\n", start);
    if (end == std::string_view::npos) return {};
    start = end + (text_.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return text_.substr(start, text_.find_first_of("\r\n", start) - start);
}

void Source::refuse(program::Position position, const std::string& why) const {
  throw Error(Fault::model, fmt::format("{}:{}:{}: {}\n{}", printable(name_), position.line, position.column, why,
                                        excerpt(line(position.line), position.column - 1)));
}

std::string quoted(std::string_view name) { return fmt::format("'{}'", printable(name)); }

}  // namespace spillway::murphi
