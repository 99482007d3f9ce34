#include "suite/manifest.h"

#include <fmt/format.h>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "base/text/suggest.h"

namespace spillway {
namespace {

constexpr std::array<std::string_view, 14> kKeys = {
    "name",    "model",  "const", "expect", "states",  "transitions", "depth",
    "timeout", "memory", "disk",  "lane",   "options", "threads",     "keep"};
constexpr std::array<std::string_view, 4> kVerdicts = {"verified", "verified-probabilistic",
                                                       "violated", "error"};

class CaseReader {
 public:
  CaseReader(const toml::table& table, const std::string& path) : table_(table), path_(path) {}

  TestCase read() {
    check_keys();
    read_model();
    read_expectation();
    test_.states = count("states");
    test_.transitions = count("transitions");
    test_.depth = count("depth");
    read_limits();
    test_.lanes = words("lane");
    for (const std::string& option : words("options")) {
      if (!option.starts_with("-"))
        refuse(table_.get("options"), fmt::format("'{}' is not an option", printable(option)));
      test_.options.push_back(option);
    }
    if (const toml::node* keep = table_.get("keep")) {
      if (!keep->is_boolean()) refuse(keep, "keep: true or false is expected");
      test_.keeps = keep->as_boolean()->get();
    }
    return std::move(test_);
  }

 private:
  [[noreturn]] void refuse(const toml::node* at, const std::string& sentence) const {
    const auto line = (at != nullptr ? at->source() : table_.source()).begin.line;
    throw Error(Fault::usage, fmt::format("{}:{}: {}", printable(path_), line, sentence));
  }

  void check_keys() const {
    for (const auto& [key, node] : table_) {
      const std::string_view name = key.str();
      if (std::ranges::find(kKeys, name) != kKeys.end()) continue;
      const auto near = nearest(name, kKeys);
      refuse(&node, fmt::format("a case has no '{}'{}", printable(name),
                                near ? fmt::format("; did you mean {}?", *near) : ""));
    }
  }

  std::string text(const char* name) const {
    const toml::node* node = table_.get(name);
    if (node == nullptr) return "";
    if (!node->is_string()) refuse(node, fmt::format("{}: text in quotes is expected", name));
    const std::string& value = node->as_string()->get();
    if (value.empty() || value.find('\0') != std::string::npos)
      refuse(node, fmt::format("{}: text is expected", name));
    return value;
  }

  std::optional<std::uint64_t> count(const char* name) const {
    const toml::node* node = table_.get(name);
    if (node == nullptr) return std::nullopt;
    if (!node->is_integer() || node->as_integer()->get() < 0)
      refuse(node, fmt::format("{}: a whole number is expected", name));
    return static_cast<std::uint64_t>(node->as_integer()->get());
  }

  // One word, or a list of them.
  std::vector<std::string> words(const char* name) const {
    const toml::node* node = table_.get(name);
    if (node == nullptr) return {};
    if (node->is_string()) return {text(name)};
    std::vector<std::string> all;
    if (!node->is_array()) refuse(node, fmt::format("{}: a list of texts is expected", name));
    for (const toml::node& one : *node->as_array()) {
      if (!one.is_string()) refuse(&one, fmt::format("{}: text in quotes is expected", name));
      all.push_back(one.as_string()->get());
    }
    return all;
  }

  void read_model() {
    const std::string model = text("model");
    if (model.empty()) refuse(nullptr, "the case has no model");
    test_.model = (std::filesystem::path(path_).parent_path() / model).string();
    test_.name = text("name");
    std::string constants;
    if (const toml::node* node = table_.get("const")) {
      if (!node->is_table()) refuse(node, "const: a table is expected, such as {NODES = 4}");
      for (const auto& [key, value] : *node->as_table()) {
        if (!value.is_integer()) refuse(&value, "const: a whole number is expected");
        test_.constants.push_back(fmt::format("{}={}", key.str(), value.as_integer()->get()));
        constants += " " + test_.constants.back();
      }
    }
    if (test_.name.empty()) test_.name = model + constants;
  }

  void read_expectation() {
    const std::string expected = text("expect");
    if (expected.empty())
      refuse(nullptr, "the case does not say what to expect: verified, violated, violated:NAME");
    const std::size_t colon = expected.find(':');
    test_.verdict = expected.substr(0, colon);
    if (colon != std::string::npos) test_.property = expected.substr(colon + 1);
    const bool known = std::ranges::find(kVerdicts, test_.verdict) != kVerdicts.end();
    if (!known ||
        (colon != std::string::npos && (test_.verdict != "violated" || test_.property.empty())))
      refuse(table_.get("expect"),
             fmt::format("expect: '{}' is not verified, verified-probabilistic, violated, "
                         "violated:NAME or error",
                         printable(expected)));
  }

  // An option of `check` with a value that `meaning` takes.
  void add_limit(const char* name, std::string_view option, void (*meaning)(std::string_view)) {
    const std::string value = text(name);
    if (value.empty()) return;
    try {
      meaning(value);
    } catch (const Error& error) {
      refuse(table_.get(name), fmt::format("{}: {}", name, error.what()));
    }
    test_.options.push_back(fmt::format("{}={}", option, value));
  }

  void read_limits() {
    add_limit("timeout", "--timeout", [](std::string_view value) { parse_seconds(value); });
    add_limit("memory", "--memory", [](std::string_view value) { parse_bytes(value); });
    add_limit("disk", "--disk-limit", [](std::string_view value) { parse_bytes(value); });
    if (const auto threads = count("threads"))
      test_.options.push_back(fmt::format("--threads={}", *threads));
  }

  const toml::table& table_;
  const std::string& path_;
  TestCase test_;
};

}  // namespace

std::vector<TestCase> read_manifest(const std::string& text, const std::string& path) {
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed)
    throw Error(Fault::usage,
                fmt::format("{}:{}: {}", printable(path), parsed.error().source().begin.line,
                            printable(parsed.error().description())));
  const toml::table& document = parsed.table();
  const auto refuse = [&](const toml::node& at, const std::string& sentence) {
    throw Error(Fault::usage,
                fmt::format("{}:{}: {}", printable(path), at.source().begin.line, sentence));
  };
  std::vector<TestCase> cases;
  std::set<std::string> names;
  for (const auto& [key, node] : document) {
    if (key.str() != "case" || !node.is_array_of_tables())
      refuse(node, fmt::format("'{}' is not known here; cases begin with [[case]]",
                               printable(key.str())));
    for (const toml::node& one : *node.as_array()) {
      cases.push_back(CaseReader(*one.as_table(), path).read());
      if (!names.insert(cases.back().name).second)
        refuse(one, fmt::format("there is another case '{}'; give it a name",
                                printable(cases.back().name)));
    }
  }
  if (cases.empty())
    throw Error(Fault::usage,
                fmt::format("{}: there are no cases; they begin with [[case]]", printable(path)));
  return cases;
}

}  // namespace spillway
