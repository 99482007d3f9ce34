#include "language/table/table.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "language/compiled/compiled.h"
#include "language/dve/dve.h"
#include "language/graph/graph.h"
#include "language/murphi/murphi.h"

namespace spillway {
namespace {

constexpr std::array<std::string_view, 2> kMurphiEndings = {".m", ".murphi"};
constexpr std::array<std::string_view, 1> kDveEndings = {".dve"};
constexpr std::array<std::string_view, 1> kCompiledEndings = {".so"};
constexpr std::array<std::string_view, 1> kGraphEndings = {".graph"};

constexpr std::array kLanguages = {
    Language{.name = "Murphi",
             .endings = kMurphiEndings,
             .has = {.text = true, .programs = true, .constants = true, .counted_rules = true},
             .options = kMurphiOptions,
             .read = read_murphi_file},
    Language{.name = "DVE",
             .endings = kDveEndings,
             .has = {.text = true,
                     .programs = true,
                     .constants = true,
                     .counted_rules = true,
                     .processes = true,
                     .property_process = true},
             .options = kDveOptions,
             .read = read_dve_file},
    Language{.name = "compiled",
             .model = "a compiled model (.so, see spillway/model_abi.h)",
             .endings = kCompiledEndings,
             .has = {.native_code = true},
             .read = read_compiled_file},
    Language{.name = "explicit graph",
             .model = "an explicit graph (.graph)",
             .endings = kGraphEndings,
             .has = {},
             .read = read_graph_file},
};

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language* language_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  for (const Language& language : kLanguages)
    for (const std::string_view known : language.endings)
      if (ending == known) return &language;
  return nullptr;
}

std::string languages_with(bool Language::Has::*something, std::string_view last) {
  std::vector<std::string> names;
  for (const Language& language : kLanguages)
    if (language.has.*something) names.emplace_back(language.name);
  return listed(names, last);
}

std::string endings_with(bool Language::Has::*something) {
  std::vector<std::string> all;
  for (const Language& language : kLanguages)
    if (language.has.*something)
      all.insert(all.end(), language.endings.begin(), language.endings.end());
  return listed(all, "or");
}

std::string listed(const std::vector<std::string>& parts, std::string_view last) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += &part == &parts.back() ? fmt::format(" {} ", last) : ", ";
    text += part;
  }
  return text;
}

}  // namespace spillway
