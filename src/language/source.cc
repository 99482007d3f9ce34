#include "language/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/lines.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"
#include "language/limits.h"

namespace spillway {

Source::Source(std::string name, std::string_view text)
    : name_(std::move(name)), text_(without_byte_order_mark(text)) {
  if (text_.size() > kLargestText)
    throw Error(Fault::model, fmt::format("{}: the file has {} bytes; the limit is {}",
                                          printable(name_), text_.size(), kLargestText));
  shown_ = text_;
}

void Source::turn_to(std::string name, std::string_view text, std::string_view shown) {
  SPILLWAY_CHECK(!has_errors());
  name_ = std::move(name);
  text_ = text;
  shown_ = shown;
  end_name_ = "the end of the expression";
}

void Source::refuse(program::Position position, std::string why) {
  throw Refused{position, std::move(why)};
}

void Source::give_up(program::Position position, std::string why) {
  incomplete_ = true;
  note({position, std::move(why)});
  throw GivenUp();
}

void Source::note(const Refused& error) {
  ++failures_;
  const std::uint32_t line = error.position.line;
  const bool known = std::any_of(errors_.begin(), errors_.end(), [&](const Refused& other) {
    return other.position.line == line && other.position.column == error.position.column;
  });
  const bool follows = known || lines_of_earlier_stages_.contains(line);
  if (errors_.empty() || !follows) {
    errors_.push_back(error);
    lines_.insert(line);
  }
  if (errors_.size() < kMostErrors && failures_ < kMostFailures) return;
  incomplete_ = true;
  throw GivenUp();
}

void Source::throw_errors() const {
  if (errors_.empty()) return;
  const SourceText lines(name_, shown_);
  std::vector<Refused> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Refused& a, const Refused& b) {
    return a.position.line != b.position.line ? a.position.line < b.position.line
                                              : a.position.column < b.position.column;
  });
  std::vector<Diagnostic> all;
  for (const Refused& error : sorted)
    all.push_back({Severity::error, lines.range(error.position), error.why});
  throw DiagnosedError(std::move(all), incomplete_);
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
