// Reads lines that have a word before their value, as in "model german.m".
#pragma once

#include <string>
#include <string_view>

#include "base/process/identity.h"

namespace spillway {

class LabelledLines {
 public:
  // `refusal` is the sentence of the Error(integrity) that ends the reading of any other text.
  // `text` must outlive the object.
  LabelledLines(std::string_view text, std::string refusal)
      : text_(text), refusal_(std::move(refusal)) {}

  bool done() const { return text_.empty(); }
  // Whether the next line has this word.
  bool at(std::string_view word) const;
  // The value of the next line, which must have this word and be printable.
  std::string next(std::string_view word);
  Identity next_identity(std::string_view word);
  [[noreturn]] void refuse() const;

 private:
  std::string_view text_;
  const std::string refusal_;
};

}  // namespace spillway
