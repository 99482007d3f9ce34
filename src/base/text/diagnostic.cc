#include "base/text/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/excerpt.h"
#include "base/text/lines.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

std::string sentence_of(const std::vector<Diagnostic>& all) {
  const std::string first = all.front().sentence();
  if (all.size() == 1) return first;
  return fmt::format("{} (and {} more error{})", first, all.size() - 1, all.size() == 2 ? "" : "s");
}

}  // namespace

std::string_view word(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

std::string SourceRange::excerpt() const {
  // Of a range that covers several lines, only the line of the caret is shown.
  const std::size_t from = begin.line == at.line ? begin.column - 1 : 0;
  const std::size_t to = end.line == at.line ? end.column - 1 : source_line.size();
  return spillway::excerpt(source_line, at.column - 1, from, to);
}

std::string Diagnostic::sentence() const {
  return fmt::format("{}:{}:{}: {}", printable(where.file), where.at.line, where.at.column,
                     printable(message));
}

std::string Diagnostic::text() const {
  return fmt::format("{}:{}:{}: {}: {}\n{}\n", printable(where.file), where.at.line,
                     where.at.column, word(severity), printable(message), where.excerpt());
}

SourceText::SourceText(std::string_view name, std::string_view text) : name_(name), text_(text) {
  starts_.push_back(0);
  for (std::size_t end = end_of_line(text, 0); end < text.size(); end = end_of_line(text, end)) {
    end = next_line(text, end);
    starts_.push_back(static_cast<std::uint32_t>(end));
  }
}

SourceRange::LineColumn SourceText::place(std::uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return {static_cast<std::uint32_t>(after - starts_.begin()), offset - *(after - 1) + 1};
}

std::string_view SourceText::line(std::uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const std::size_t start = starts_[number - 1];
  return text_.substr(start, end_of_line(text_, start) - start);
}

SourceRange SourceText::range(SourcePosition position) const {
  SourceRange result;
  result.file = name_;
  result.at = {std::max(position.line, 1U), std::max(position.column, 1U)};
  result.begin = result.end = result.at;
  if (position.from < position.to) {
    result.begin = place(position.from);
    result.end = place(position.to);
    result.content = text_.substr(position.from, position.to - position.from);
  }
  result.source_line = line(result.at.line);
  return result;
}

DiagnosedError::DiagnosedError(std::vector<Diagnostic> diagnostics, bool incomplete)
    : Error(Fault::model, sentence_of(diagnostics)),
      diagnostics_(std::move(diagnostics)),
      incomplete_(incomplete) {}

std::string DiagnosedError::count() const {
  const std::size_t count = diagnostics_.size();
  return fmt::format("{} error{}{}", count, count == 1 ? "" : "s",
                     incomplete_ ? "; there may be more" : "");
}

}  // namespace spillway
