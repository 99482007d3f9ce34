#include "run/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/error.h"
#include "base/sha256.h"
#include "io/buffer.h"

namespace spillway {
namespace {

constexpr std::string_view kTitle = "spillway manifest 1";
constexpr std::string_view kTrailer = "sha256 ";

// Words of a text, one after the other.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void refuse() const { throw Error(Fault::integrity, name_ + ": is no manifest that can be read"); }
  bool done() const { return text_.empty(); }

  // Up to the end of the line, which is cut off as well.
  std::string_view line() {
    const std::size_t end = text_.find('\n');
    if (end == std::string_view::npos) refuse();
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return line;
  }
  std::string_view word() {
    const std::string_view word = text_.substr(0, text_.find(' '));
    text_.remove_prefix(std::min(text_.size(), word.size() + 1));
    return word;
  }
  template <class Number>
  Number number() {
    const std::string_view digits = word();
    Number number{};
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size()) refuse();
    return number;
  }
  std::uint64_t count() { return number<std::uint64_t>(); }
  Digest digest() {
    const std::optional<Digest> digest = Digest::from_hex(word());
    if (!digest) refuse();
    return *digest;
  }

 private:
  std::string_view text_;
  const std::string& name_;
};

// The text in front of its SHA-256.
std::string_view without_trailer(std::string_view text, const std::string& name) {
  const std::size_t begin = text.rfind(kTrailer);
  if (begin == std::string_view::npos || (begin != 0 && text[begin - 1] != '\n'))
    throw Error(Fault::integrity, name + ": was cut off");
  const std::string_view body = text.substr(0, begin);
  std::string_view rest = text.substr(begin + kTrailer.size());
  const std::string digest = sha256(body);
  if (!rest.starts_with(digest)) throw Error(Fault::integrity, name + ": is not what was written");
  rest.remove_prefix(digest.size());
  if (rest.find_first_not_of('\n') != std::string_view::npos)
    throw Error(Fault::integrity, name + ": has something behind its end");
  return body;
}

void parse_line(Words words, Manifest& manifest) {
  const std::string_view what = words.word();
  if (what == "generation") {
    manifest.generation = words.count();
  } else if (what == "seconds") {
    manifest.seconds = words.number<double>();
  } else if (what == "row") {
    manifest.form.shape.words = words.count();
  } else if (what == "block") {
    manifest.form.shape.rows = words.count();
    manifest.form.shape.group_rows = words.count();
    manifest.form.block_bytes = words.count();
  } else if (what == "run") {
    manifest.form.run_id = words.count();
  } else if (what == "level") {
    Level level;
    level.states = words.count();
    level.transitions = words.count();
    level.digest = words.digest();
    manifest.levels.push_back(level);
  } else if (what == "next") {
    manifest.level_states = words.count();
  } else if (what == "covered") {
    manifest.covered.push_back(words.count());
  } else if (what == "file") {
    LevelLog::Part part;
    part.file = words.count();
    part.blocks = words.count();
    part.levels = words.count();
    manifest.parts.push_back(part);
  } else {
    words.refuse();
  }
  if (!words.done()) words.refuse();
}

}  // namespace

std::uint64_t Manifest::states() const {
  std::uint64_t all = 0;
  for (const Level& level : levels) all += level.states;
  return all;
}

std::string to_text(const Manifest& manifest) {
  std::string text = fmt::format("{}\ngeneration {}\nseconds {}\nrun {}\nrow {}\nblock {} {} {}\n", kTitle,
                                 manifest.generation, manifest.seconds, manifest.form.run_id, manifest.form.shape.words,
                                 manifest.form.shape.rows, manifest.form.shape.group_rows, manifest.form.block_bytes);
  auto out = std::back_inserter(text);
  for (const Level& level : manifest.levels)
    fmt::format_to(out, "level {} {} {}\n", level.states, level.transitions, level.digest.hex());
  fmt::format_to(out, "next {}\n", manifest.level_states);
  for (const std::uint64_t property : manifest.covered) fmt::format_to(out, "covered {}\n", property);
  for (const LevelLog::Part& part : manifest.parts)
    fmt::format_to(out, "file {} {} {}\n", part.file, part.blocks, part.levels);
  text += fmt::format("{}{}\n", kTrailer, sha256(text));
  text.resize(round_up_to_sector(text.size()), '\n');
  return text;
}

Manifest parse_manifest(std::string_view text, const std::string& name) {
  Words lines(without_trailer(text, name), name);
  if (lines.line() != kTitle) lines.refuse();
  Manifest manifest;
  while (!lines.done()) parse_line(Words(lines.line(), name), manifest);
  const LevelLog::Form& form = manifest.form;
  const bool possible = form.shape.words > 0 && form.shape.rows > 0 && form.shape.group_rows > 0 &&
                        form.block_bytes % kSector == 0 && form.block_bytes > 0;
  if (!possible) lines.refuse();
  return manifest;
}

}  // namespace spillway
