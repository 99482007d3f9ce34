#include "check/durable/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/signed_text.h"
#include "io/data/buffer.h"

namespace spillway {
namespace {

constexpr std::string_view kTitle = "spillway manifest";
constexpr std::uint64_t kVersion = 5;
constexpr std::uint64_t kWithoutMeaning = 4;  // of rows
constexpr std::string_view kChecksum = "sha256";
constexpr std::size_t kMostWords = 8192;  // rows of 64 KiB
constexpr std::size_t kMostRows = 2048;
constexpr std::uint64_t kMostObserved = std::uint64_t{1} << 24;  // counters, and marks

// Those that a manifest can have, by PropertyKind.
constexpr std::array<std::string_view, 4> kFoundKinds = {"invariant", "assertion", "deadlock",
                                                         "runtime-error"};

// Words of a text, one after the other.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void refuse() const { throw Error(Fault::integrity, name_ + ": corrupt manifest"); }
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
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size()) refuse();
    return number;
  }
  std::uint64_t count() { return number<std::uint64_t>(); }
  std::string hash() {
    const std::string_view digits = word();
    if (!is_sha256(digits)) refuse();
    return std::string(digits);
  }
  Identity identity() {
    const std::optional<Identity> identity = Identity::from_hex(word());
    if (!identity) refuse();
    return *identity;
  }
  Digest digest() {
    const std::optional<Digest> digest = Digest::from_hex(word());
    if (!digest) refuse();
    return *digest;
  }

 private:
  std::string_view text_;
  const std::string& name_;
};

// What was observed: how many numbers there are, and those that are not 0.
void parse_observed(std::string_view what, Words& words, Manifest& manifest) {
  const std::uint64_t number = words.count();
  if (number > kMostObserved) words.refuse();
  Observed& observed = manifest.observed;
  if (what == "counters") observed.counters.resize(number);
  if (what == "marks") observed.marks.resize(number);
  if (what == "counter") {
    if (number >= observed.counters.size()) words.refuse();
    observed.counters[number] = words.count();
  } else if (what == "mark") {
    if (number >= observed.marks.size()) words.refuse();
    observed.marks[number] = 1;
  }
}

void parse_found(Words& words, Manifest& manifest) {
  const auto kind = std::ranges::find(kFoundKinds, words.word());
  if (kind == kFoundKinds.end()) words.refuse();
  Finding& found = manifest.found.emplace_back();
  found.kind = static_cast<PropertyKind>(kind - kFoundKinds.begin());
  found.property = words.number<PropertyIndex>();
  found.depth = words.count();
  while (!words.done() && found.row.size() < kMostWords) found.row.push_back(words.count());
}

void parse_line(Words words, Manifest& manifest) {
  const std::string_view what = words.word();
  if (what == "run") {
    manifest.run.identity = words.identity();
    manifest.form.run_id = manifest.run.identity.number();
  } else if (what == "config") {
    manifest.run.config = words.hash();
  } else if (what == "model") {
    manifest.run.model = words.hash();
  } else if (what == "layout") {
    manifest.rows.layout = words.hash();
  } else if (what == "automaton") {
    manifest.rows.automaton = words.hash();
  } else if (what == "generation") {
    manifest.generation = words.count();
  } else if (what == "seconds") {
    manifest.seconds = words.number<double>();
  } else if (what == "rank") {
    manifest.rank = words.number<unsigned>();
    manifest.ranks = words.number<unsigned>();
  } else if (what == "row") {
    manifest.form.shape.words = words.count();
  } else if (what == "block") {
    manifest.form.shape.rows = words.count();
    manifest.form.shape.group_rows = words.count();
    manifest.form.block_bytes = words.count();
  } else if (what == "level") {
    Level level;
    level.states = words.count();
    level.transitions = words.count();
    level.digest = words.digest();
    manifest.levels.push_back(level);
  } else if (what == "next") {
    manifest.level_states = words.count();
  } else if (what == "decided") {
    manifest.decided = true;
  } else if (what == "covered") {
    manifest.covered.push_back(words.count());
  } else if (what == "found") {
    parse_found(words, manifest);
  } else if (what == "counters" || what == "counter" || what == "marks" || what == "mark") {
    parse_observed(what, words, manifest);
  } else if (what == "file") {
    LevelLog::LogFile part;
    part.file = words.count();
    part.id = words.count();
    part.blocks = words.count();
    part.levels = words.count();
    manifest.parts.push_back(part);
  } else if (what == "extra") {
    Manifest::Extra extra;
    extra.what = words.word();
    extra.file = words.count();
    extra.id = words.count();
    extra.blocks = words.count();
    manifest.extras.push_back(std::move(extra));
  } else {
    words.refuse();
  }
  if (!words.done()) words.refuse();
}

// Whether a log can have this form: nobody shall reserve memory because a file says so.
bool is_possible(const LevelLog::Form& form) {
  const BlockShape& shape = form.shape;
  if (shape.words == 0 || shape.words > kMostWords || shape.rows == 0 || shape.rows > kMostRows)
    return false;
  if (shape.group_rows == 0 || shape.group_rows > shape.rows) return false;
  return form.block_bytes > 0 && form.block_bytes % kSector == 0 &&
         form.block_bytes <= LevelLog::form_for(0, shape, UINT64_MAX).block_bytes &&
         form.block_bytes >= LevelLog::form_for(0, shape, 0).block_bytes;
}

// Sums of what it says fit into 64 bits.
bool has_possible_sums(const Manifest& manifest) {
  std::uint64_t states = manifest.level_states;
  std::uint64_t transitions = 0;
  for (const Level& level : manifest.levels)
    if (__builtin_add_overflow(states, level.states, &states) ||
        __builtin_add_overflow(transitions, level.transitions, &transitions))
      return false;
  return true;
}

// Each is of a state that was expanded, and of another property.
bool has_possible_findings(const Manifest& manifest) {
  const auto is_possible = [&](const Finding& found) {
    return found.depth < manifest.levels.size() && found.row.size() == manifest.form.shape.words;
  };
  const auto key = [](const Finding& found) { return std::pair(found.kind, found.property); };
  return std::ranges::all_of(manifest.found, is_possible) &&
         std::ranges::adjacent_find(manifest.found, std::ranges::greater_equal(), key) ==
             manifest.found.end();
}

// What is decided has been searched, and keeps nothing else.
bool may_be_decided(const Manifest& manifest) {
  return !manifest.decided ||
         (manifest.level_states == 0 && !manifest.levels.empty() && manifest.parts.empty());
}

// Only a complete search has files beside its log.
bool has_possible_extras(const Manifest& manifest) {
  const auto is_word = [](const Manifest::Extra& extra) {
    return !extra.what.empty() && extra.file <= kMostGenerations &&
           std::ranges::all_of(extra.what, [](char c) { return c >= 'a' && c <= 'z'; });
  };
  return manifest.extras.empty() ||
         (manifest.level_states == 0 && !manifest.levels.empty() && !manifest.decided &&
          std::ranges::all_of(manifest.extras, is_word));
}

// Each log file holds records up to a level that had begun when it was sealed, and files are in the
// order in which they were sealed.
bool has_possible_parts(const Manifest& manifest) {
  std::uint64_t before = 0;
  for (const LevelLog::LogFile& part : manifest.parts) {
    if (part.levels < before || part.levels > manifest.levels.size() + 1) return false;
    before = part.levels;
  }
  return true;
}

}  // namespace

RowMeaning row_meaning(const Model& model) {
  const std::string automaton = model.automaton();
  return {sha256(model.layout()), automaton.empty() ? "" : sha256(automaton)};
}

void check_mark(const RunMark& found, const RunMark& run, const std::string& name) {
  const auto refuse = [&](std::string_view what) {
    throw Error(Fault::integrity, fmt::format("{}: the file belongs to another {}", name, what));
  };
  if (found.identity != run.identity) refuse("run");
  if (found.model != run.model) refuse("model");
  if (found.config != run.config) refuse("configuration");
}

std::string to_text(const Manifest& manifest) {
  const LevelLog::Form& form = manifest.form;
  const RowMeaning& rows = manifest.rows;
  std::string text = title_line(kTitle, rows.layout.empty() ? kWithoutMeaning : kVersion);
  auto out = std::back_inserter(text);
  fmt::format_to(out, "run {}\nconfig {}\nmodel {}\n", manifest.run.identity.hex(),
                 manifest.run.config, manifest.run.model);
  if (!rows.layout.empty()) fmt::format_to(out, "layout {}\n", rows.layout);
  if (!rows.automaton.empty()) fmt::format_to(out, "automaton {}\n", rows.automaton);
  fmt::format_to(out, "generation {}\nseconds {}\n", manifest.generation, manifest.seconds);
  if (manifest.ranks > 1) fmt::format_to(out, "rank {} {}\n", manifest.rank, manifest.ranks);
  fmt::format_to(out, "row {}\nblock {} {} {}\n", form.shape.words, form.shape.rows,
                 form.shape.group_rows, form.block_bytes);
  for (const Level& level : manifest.levels)
    fmt::format_to(out, "level {} {} {}\n", level.states, level.transitions, level.digest.hex());
  fmt::format_to(out, "next {}\n", manifest.level_states);
  if (manifest.decided) text += "decided\n";
  for (const std::uint64_t property : manifest.covered)
    fmt::format_to(out, "covered {}\n", property);
  for (const Finding& found : manifest.found)
    fmt::format_to(out, "found {} {} {} {}\n", kFoundKinds.at(static_cast<std::size_t>(found.kind)),
                   found.property, found.depth, fmt::join(found.row, " "));
  const auto& [counters, marks] = manifest.observed;
  fmt::format_to(out, "counters {}\n", counters.size());
  for (std::size_t i = 0; i < counters.size(); ++i)
    if (counters[i] != 0) fmt::format_to(out, "counter {} {}\n", i, counters[i]);
  fmt::format_to(out, "marks {}\n", marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) fmt::format_to(out, "mark {}\n", i);
  for (const LevelLog::LogFile& part : manifest.parts)
    fmt::format_to(out, "file {} {} {} {}\n", part.file, part.id, part.blocks, part.levels);
  for (const Manifest::Extra& extra : manifest.extras)
    fmt::format_to(out, "extra {} {} {} {}\n", extra.what, extra.file, extra.id, extra.blocks);
  text = with_checksum(std::move(text), kChecksum);
  text.resize(round_up_to_sector(text.size()), '\n');
  return text;
}

Manifest parse_manifest(std::string_view text, const std::string& name) {
  const std::string_view body = without_checksum(text, kChecksum, name);
  const bool older = body.starts_with(title_line(kTitle, kWithoutMeaning));
  check_title(body, kTitle, older ? kWithoutMeaning : kVersion, name);
  Words lines(body, name);
  lines.line();
  Manifest manifest;
  while (!lines.done()) parse_line(Words(lines.line(), name), manifest);
  const bool possible = is_possible(manifest.form) && manifest.rank < manifest.ranks &&
                        has_possible_sums(manifest) && has_possible_findings(manifest) &&
                        has_possible_parts(manifest) && may_be_decided(manifest) &&
                        has_possible_extras(manifest) &&
                        (manifest.rows.automaton.empty() || !manifest.rows.layout.empty()) &&
                        std::isfinite(manifest.seconds) && manifest.seconds >= 0;
  if (!possible || to_text(manifest) != text) lines.refuse();  // such as a line that is there twice
  return manifest;
}

}  // namespace spillway
