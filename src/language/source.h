// The text of a model, and the form of its error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace spillway {

class Source {
 public:
  // `text` must outlive the source.  A byte order mark is skipped.  Throws an Error if the text is
  // too large.
  Source(std::string name, std::string_view text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  // Throws an Error that shows the source line.
  [[noreturn]] void refuse(program::Position position, const std::string& why) const;

 private:
  std::string_view line(std::uint32_t number) const;

  std::string name_;
  std::string_view text_;
};

// A name in quotes, safe to print.
std::string quoted(std::string_view name);

// "; did you mean ...?" if one of the known names is close, otherwise empty.
std::string did_you_mean(std::string_view word, std::vector<std::string_view> known);

}  // namespace spillway
