#include "directory/run_result.h"

#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "base/hash/sha256.h"

namespace spillway {
namespace {

constexpr std::string_view kResultSum = "  \"sha256_of_lines_above\": \"";

std::string mark_lines(const RunMark& run) {
  return fmt::format(",\n  \"run\": \"{}\",\n  \"run_config\": \"{}\",\n", run.identity.hex(),
                     run.config);
}

std::string last_lines(std::string_view lines_above) {
  return fmt::format("{}{}\"\n}}\n", kResultSum, sha256(lines_above));
}

}  // namespace

std::string signed_result(std::string json, const RunMark& run) {
  constexpr std::string_view kEnd = "\n}\n";
  SPILLWAY_CHECK(json.ends_with(kEnd));
  json.resize(json.size() - kEnd.size());
  json += mark_lines(run);
  json += last_lines(json);
  return json;
}

bool is_signed_result(std::string_view text, const RunMark& run) {
  const std::size_t last = text.rfind(kResultSum);
  if (last == std::string_view::npos) return false;
  const std::string_view lines = text.substr(0, last);
  return lines.ends_with(mark_lines(run)) && text.substr(last) == last_lines(lines);
}

}  // namespace spillway
