#include "language/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/excerpt.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "language/limits.h"

namespace spillway {

Source::Source(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  if (text_.size() > kLargestText)
    throw Error(Fault::model, fmt::format("{}: the file has {} bytes; the limit is {}",
                                          printable(name_), text_.size(), kLargestText));
}

// Lines end with LF, CR LF or CR, as in the lexer.
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
  throw Error(Fault::model,
              fmt::format("{}:{}:{}: {}\n{}", printable(name_), position.line, position.column, why,
                          excerpt(line(position.line), position.column - 1)));
}

std::string quoted(std::string_view name) { return fmt::format("'{}'", printable(name)); }

// Considers only names of about the same length, so that it is fast for any text.
std::string did_you_mean(std::string_view word, std::vector<std::string_view> known) {
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  std::erase_if(known, [&](std::string_view other) {
    return other.size() > kLongest || other.size() + word.size() / 3 + 1 < word.size() ||
           (other.size() > word.size() + word.size() / 3 + 1 && !other.starts_with(word));
  });
  std::sort(known.begin(), known.end());
  const auto near = nearest(word, known);
  return near ? fmt::format("; did you mean {}?", quoted(*near)) : std::string();
}

}  // namespace spillway
