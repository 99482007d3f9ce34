// Errors and warnings about a text, in the form that compilers use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace spillway {

// A position in a text, and the range that it stands for.
struct SourcePosition {
  std::uint32_t line = 0;  // from 1; 0 means no position
  std::uint32_t column = 0;
  // Bytes of the text from `from` to before `to`; empty if there is no range.
  std::uint32_t from = 0, to = 0;
};

enum class Severity { error, warning };
std::string_view word(Severity severity);

// A part of a text, to be shown.
struct SourceRange {
  // Lines and columns count from 1, columns in bytes.
  struct LineColumn {
    std::uint32_t line = 1, column = 1;
  };

  std::string file;
  LineColumn at;            // where the caret is
  LineColumn begin, end;    // the range; it ends before `end`
  std::string content;      // of the range
  std::string source_line;  // the line of the caret

  // The source line with a caret below it and the range underlined; two lines without an end of
  // line.
  std::string excerpt() const;
};

struct Diagnostic {
  Severity severity = Severity::error;
  SourceRange where;
  std::string message;

  // "file:line:column: message".
  std::string sentence() const;
  // "file:line:column: error: message" and the excerpt, each line with an end of line.
  std::string text() const;
};

// A text whose lines can be found quickly.
class SourceText {
 public:
  // Both must outlive this object.
  SourceText(std::string_view name, std::string_view text);

  SourceRange range(SourcePosition position) const;

 private:
  SourceRange::LineColumn place(std::uint32_t offset) const;
  std::string_view line(std::uint32_t number) const;

  std::string_view name_, text_;
  std::vector<std::uint32_t> starts_;  // of lines
};

// A model with errors.  Its sentence is that of the first one.
class DiagnosedError : public Error {
 public:
  // REQUIRES: there is at least one.  `incomplete`: there are more that were not looked for.
  DiagnosedError(std::vector<Diagnostic> diagnostics, bool incomplete);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  // "3 errors".
  std::string count() const;

 private:
  std::vector<Diagnostic> diagnostics_;
  bool incomplete_;
};

}  // namespace spillway
