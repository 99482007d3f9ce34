#include "directory/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "base/text/signed_text.h"
#include "directory/labelled_lines.h"
#include "language/table/table.h"

namespace spillway {
namespace {

constexpr std::string_view kTitle = "spillway run";
constexpr std::uint64_t kVersion = 4;
constexpr std::uint64_t kVersionOfParts = 5;
constexpr std::uint64_t kVersionWithEscapes = 6;
constexpr std::string_view kPlain = "argument", kEscaped = "escaped";
constexpr std::string_view kChecksum = "end";

bool is_native(const std::string& model) {
  const Language* language = language_of(model);
  return language != nullptr && language->has.native_code;
}

bool is_plain(const std::string& argument) { return printable(argument) == argument; }

// In one line of characters that can be seen.
std::string escaped(std::string_view argument) {
  std::string doubled;
  for (const char c : argument) doubled += c == '\\' ? "\\\\" : std::string(1, c);
  return printable(doubled);
}

// What has other escapes gives an argument that is not written like this.
std::string unescaped(std::string_view text) {
  std::string argument;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned byte = static_cast<unsigned char>(text[at]);
    if (text[at] == '\\' && text.substr(at + 1, 1) == "x") {
      const std::string_view digits = text.substr(at + 2, 2);
      std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      at += 3;
    } else if (text[at] == '\\') {
      ++at;
    }
    argument += static_cast<char>(byte);
  }
  return argument;
}

std::string argument_line(const std::string& argument) {
  if (is_plain(argument)) return fmt::format("{} {}\n", kPlain, argument);
  return fmt::format("{} {}\n", kEscaped, escaped(argument));
}

std::string next_argument(LabelledLines& lines) {
  return lines.at(kEscaped) ? unescaped(lines.next(kEscaped)) : lines.next(kPlain);
}

// The first that has all that the configuration needs.
std::uint64_t version_of(const RunConfig& config) {
  if (!std::ranges::all_of(config.arguments, is_plain)) return kVersionWithEscapes;
  return config.part ? kVersionOfParts : kVersion;
}

std::string part_line(const RunPart& part) {
  return fmt::format("part {} {} {}\n", part.run.hex(), part.rank, part.ranks);
}

RunPart part_in(const std::string& value, const LabelledLines& lines) {
  const std::size_t digits = Identity().hex().size();
  const std::optional<Identity> run = Identity::from_hex(std::string_view(value).substr(0, digits));
  if (!run) lines.refuse();
  RunPart part{*run};
  const char* const end = value.data() + value.size();
  const char* at = std::min(end, value.data() + digits + 1);
  at = std::from_chars(at, end, part.rank).ptr;
  std::from_chars(std::min(end, at + 1), end, part.ranks);
  return part;
}

// "2026-11-16 12:00:00 UTC"
bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd dd:dd:dd UTC";
  const auto fits = [](char c, char form) {
    return form == 'd' ? c >= '0' && c <= '9' : c == form;
  };
  return std::ranges::equal(text, kForm, fits);
}

}  // namespace

bool is_copy_name(std::string_view name) {
  return std::ranges::any_of(languages(), [&](const Language& language) {
    return !language.has.native_code &&
           std::ranges::any_of(language.endings, [&](std::string_view ending) {
             return name == fmt::format("model{}", ending);
           });
  });
}

std::string copy_name(const std::string& model) {
  if (is_native(model)) return "";
  const std::string ending = std::filesystem::path(model).extension().string();
  if (!is_copy_name("model" + ending))
    throw Error(Fault::model, fmt::format("{}: '{}' is not a known kind of model", printable(model),
                                          printable(ending)));
  return "model" + ending;
}

bool is_copy_of_model(const std::string& name) {
  constexpr std::string_view kUnfinished = ".tmp";
  std::string_view copy = name;
  if (copy.ends_with(kUnfinished)) copy.remove_suffix(kUnfinished.size());
  return is_copy_name(copy);
}

std::string to_text(const RunConfig& config) {
  std::string text = fmt::format(
      "{}identity {}\nversion {}\nbegun {}\nmachine {}\nmodel {}\ncopy {}\nbytes {}\nsha256 {}\n",
      title_line(kTitle, version_of(config)), config.identity.hex(), config.version, config.begun,
      config.machine, config.model, config.copy, config.bytes, config.sha256);
  if (config.part) text += part_line(*config.part);
  for (const std::string& argument : config.arguments) text += argument_line(argument);
  return with_checksum(std::move(text), kChecksum);
}

RunConfig parse_config(std::string_view text, const std::string& name) {
  const std::string_view body = without_checksum(text, kChecksum, name);
  std::uint64_t version = kVersionWithEscapes;
  for (const std::uint64_t earlier : {kVersion, kVersionOfParts})
    if (body.starts_with(title_line(kTitle, earlier))) version = earlier;
  check_title(body, kTitle, version, name);
  LabelledLines lines(body.substr(body.find('\n') + 1), name + ": corrupt run configuration");
  RunConfig config;
  config.identity = lines.next_identity("identity");
  config.version = lines.next("version");
  config.begun = lines.next("begun");
  config.machine = lines.next("machine");
  config.model = lines.next("model");
  config.copy = lines.next("copy");
  const std::string bytes = lines.next("bytes");
  std::from_chars(bytes.data(), bytes.data() + bytes.size(), config.bytes);
  config.sha256 = lines.next("sha256");
  if (lines.at("part")) config.part = part_in(lines.next("part"), lines);
  while (!lines.done()) config.arguments.push_back(next_argument(lines));
  const bool possible = is_time(config.begun) &&
                        (!config.part || config.part->rank < config.part->ranks) &&
                        is_sha256(config.sha256) &&
                        (config.native() ? is_native(config.model) : is_copy_name(config.copy));
  if (!possible || to_text(config) != text) lines.refuse();
  return config;
}

RunMark mark_of(const RunConfig& config) {
  return {config.identity, sha256(to_text(config)), config.sha256};
}

}  // namespace spillway
