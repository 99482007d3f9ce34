#include "directory/labelled_lines.h"

#include <optional>

#include "base/error.h"
#include "base/text/printable.h"

namespace spillway {

void LabelledLines::refuse() const { throw Error(Fault::integrity, refusal_); }

bool LabelledLines::at(std::string_view word) const {
  return text_.starts_with(word) && text_.substr(word.size()).starts_with(' ');
}

std::string LabelledLines::next(std::string_view word) {
  const std::size_t end = text_.find('\n');
  if (end == std::string_view::npos) refuse();
  if (!at(word)) refuse();
  std::string_view line = text_.substr(0, end);
  text_.remove_prefix(end + 1);
  line.remove_prefix(word.size() + 1);
  if (printable(line) != line) refuse();
  return std::string(line);
}

Identity LabelledLines::next_identity(std::string_view word) {
  const std::optional<Identity> identity = Identity::from_hex(next(word));
  if (!identity) refuse();
  return *identity;
}

}  // namespace spillway
