#include "suite/suite_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "report/version.h"
#include "report/words/words.h"

namespace spillway {
namespace {

using Line = nlohmann::ordered_json;

constexpr CaseStatus kStatuses[] = {CaseStatus::passed, CaseStatus::failed,
                                    CaseStatus::inconclusive, CaseStatus::error};

std::size_t count_of(const std::vector<CaseResult>& results, CaseStatus status) {
  return static_cast<std::size_t>(std::ranges::count(results, status, &CaseResult::status));
}

double seconds_of(const std::vector<CaseResult>& results) {
  double all = 0;
  for (const CaseResult& result : results) all += result.seconds;
  return all;
}

// In a cell of a table: nothing in it is markup.
std::string cell_text(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>()#+!|~&$@").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string line_of(const Line& line) {
  return printable_json(line.dump(-1, ' ', false, Line::error_handler_t::replace)) + "\n";
}

double milliseconds_only(double seconds) {
  return static_cast<double>(static_cast<std::uint64_t>(seconds * 1000)) / 1000;
}

}  // namespace

std::string case_text(const CaseResult& result) {
  std::string text = fmt::format("{:<12}  {}", word_of(result.status), printable(result.name));
  if (!result.message.empty()) text += ": " + printable(result.message);
  text += fmt::format("  ({}, {})\n", plural(result.states, "state"), seconds_text(result.seconds));
  if (!result.continues_in.empty())
    text += fmt::format("              the next time it continues from {}\n",
                        printable(result.continues_in));
  return text;
}

std::string sum_text(const std::vector<CaseResult>& results) {
  std::string parts;
  for (const CaseStatus status : kStatuses)
    if (const std::size_t count = count_of(results, status); count != 0)
      parts +=
          fmt::format("{}{} {}", parts.empty() ? "" : ", ", with_commas(count), word_of(status));
  return fmt::format("{}: {}", plural(results.size(), "case"), parts);
}

std::string junit_xml(const std::string& suite, const std::vector<CaseResult>& results) {
  const auto count = [&](CaseStatus status) { return count_of(results, status); };
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", results.size(),
                  count(CaseStatus::failed),
                  count(CaseStatus::inconclusive) + count(CaseStatus::error), seconds_of(results));
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"{}\" {}>\n",
      counts, printable_xml(suite), counts);
  for (const CaseResult& result : results) {
    xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                       printable_xml(result.model), printable_xml(result.name), result.seconds);
    if (result.status == CaseStatus::passed) {
      xml += "/>\n";
      continue;
    }
    const std::string_view element = result.status == CaseStatus::failed ? "failure" : "error";
    xml += fmt::format(">\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n", element,
                       word_of(result.status), printable_xml(result.message));
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

std::string markdown_summary(const std::string& suite, const std::vector<CaseResult>& results) {
  std::string text = fmt::format("## Spillway: {}\n\n{}\n\n", cell_text(suite), sum_text(results));
  text += "| case | status | verdict | states | time | |\n|---|---|---|--:|--:|---|\n";
  for (const CaseResult& result : results)
    text += fmt::format(
        "| {} | {}{} | {} | {} | {} | {} |\n", cell_text(result.name),
        result.status == CaseStatus::passed ? "" : "**",
        std::string(word_of(result.status)) + (result.status == CaseStatus::passed ? "" : "**"),
        cell_text(result.verdict), with_commas(result.states), seconds_text(result.seconds),
        cell_text(result.message));
  return text;
}

std::string suite_start_line(const std::string& suite, std::size_t cases) {
  return line_of({{"event", "start"},
                  {"format", "spillway-test"},
                  {"format_version", 1},
                  {"spillway", kVersion},
                  {"manifest", suite},
                  {"cases", cases}});
}

std::string case_line(const CaseResult& result) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Line() : Line(text); };
  return line_of({{"event", "case"},
                  {"name", result.name},
                  {"model", result.model},
                  {"lanes", result.lanes},
                  {"status", word_of(result.status)},
                  {"message", or_null(result.message)},
                  {"verdict", or_null(result.verdict)},
                  {"states", result.states},
                  {"seconds", milliseconds_only(result.seconds)},
                  {"continues_in", or_null(result.continues_in)}});
}

std::string suite_end_line(const std::vector<CaseResult>& results, int exit_code) {
  Line line = {{"event", "end"}};
  for (const CaseStatus status : kStatuses)
    line[std::string(word_of(status))] = count_of(results, status);
  line["exit_code"] = exit_code;
  return line_of(line);
}

}  // namespace spillway
