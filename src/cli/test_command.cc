#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "base/error.h"
#include "base/process/private_folder.h"
#include "base/text/printable.h"
#include "base/text/read_file.h"
#include "base/text/suggest.h"
#include "check/facts/verdict.h"
#include "cli/case_run.h"
#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/session/output.h"
#include "suite/suite_reports.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

// A lane that no case names is a slip: cases of none would pass, and those that were meant would
// not be there.
void need_lane(const std::vector<TestCase>& cases, const std::string& lane) {
  std::vector<std::string_view> known;
  for (const TestCase& test : cases)
    known.insert(known.end(), test.lanes.begin(), test.lanes.end());
  if (std::ranges::find(known, lane) != known.end()) return;
  const std::optional<std::string_view> near = nearest(lane, known);
  throw Error(Fault::usage,
              fmt::format("--lane: no case is in '{}'{}", printable(lane),
                          near ? fmt::format("; did you mean {}?", printable(*near)) : ""));
}

class Suite {
 public:
  explicit Suite(const CommandSettings& settings)
      : settings_(settings), cases_(read_manifest(read_file(settings.subject), settings.subject)) {
    const std::string& lane = settings.suite.lane;
    if (lane.empty()) return;
    need_lane(cases_, lane);
    std::erase_if(cases_, [&](const TestCase& test) {
      return !test.lanes.empty() && std::ranges::find(test.lanes, lane) == test.lanes.end();
    });
  }

  int run() {
    for (const std::string* file : {&settings_.suite.junit, &settings_.suite.markdown})
      check_can_write(*file);
    if (!settings_.suite.reports.empty()) make_folder(settings_.suite.reports);
    write_line(suite_start_line(settings_.subject, cases_.size()));
    const SignalsForChildren signals;
    for (const TestCase& test : cases_) {
      results_.push_back(result_of(test));
      say(text_stream(), case_text(results_.back()));
      write_line(case_line(results_.back()));
    }
    say(text_stream(), sum_text(results_) + "\n");
    const int code = exit_code();
    write_line(suite_end_line(results_, code));
    if (!settings_.suite.junit.empty())
      replace_file(settings_.suite.junit, junit_xml(settings_.subject, results_));
    if (!settings_.suite.markdown.empty())
      replace_file(settings_.suite.markdown, markdown_summary(settings_.subject, results_));
    return code;
  }

 private:
  std::FILE* text_stream() const { return settings_.events_file == "-" ? stderr : stdout; }

  static void make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
      throw Error(Fault::system,
                  fmt::format("cannot make the folder {}: {}", printable(path), error.message()));
  }

  // The whole file each time: it is short, and never half a line.
  void write_line(const std::string& line) {
    if (settings_.events_file.empty()) return;
    lines_ += line;
    if (settings_.events_file == "-")
      say(stdout, line);
    else
      replace_file(settings_.events_file, lines_);
  }

  int exit_code() const {
    if (const int signal = SignalsForChildren::received(); signal != 0) return 128 + signal;
    const auto any = [&](CaseStatus status) {
      return std::ranges::find(results_, status, &CaseResult::status) != results_.end();
    };
    if (any(CaseStatus::failed) || any(CaseStatus::error))
      return static_cast<int>(Exit::not_as_expected);
    return static_cast<int>(any(CaseStatus::inconclusive) ? Exit::time : Exit::verified);
  }

  CaseResult checked(const TestCase& test, const CaseRun& run) const {
    const PrivateFolder folder = PrivateFolder::make_temporary();
    std::vector<std::string> command = run.command();
    command.push_back("--json=" + folder.path() + "/result.json");
    if (!settings_.suite.reports.empty())
      command.push_back(
          fmt::format("--report={}/{}.html", settings_.suite.reports, file_stem(test)));
    const int code = run_child(command);
    CaseResult result = judge(test, folder.read("result.json"), code);
    folder.remove_all();
    return result;
  }

  // The run that is kept goes on if it is of this check and intact; otherwise the check begins
  // anew.  An error is no reason to do so: it may be one of the machine.
  CaseResult kept_or_checked(const TestCase& test) const {
    if (test.keeps) make_folder(settings_.suite.runs);
    CaseRun run(test, settings_.suite.runs);
    CaseResult result = judge(test, std::nullopt, 0);
    result.message = run.obstacle();
    if (result.message.empty()) result = checked(test, run);
    if (run.goes_on() && result.damaged) {
      run.remove();
      result = checked(test, run);
    }
    const std::optional<std::string> kept = run.kept();
    if (kept && result.may_go_on)
      result.continues_in = *kept;
    else if (kept)
      run.remove();
    return result;
  }

  CaseResult result_of(const TestCase& test) const {
    if (SignalsForChildren::received() != 0) {
      CaseResult result = judge(test, std::nullopt, 0);
      result.status = CaseStatus::inconclusive;
      result.message = "not started";
      return result;
    }
    const auto begin = std::chrono::steady_clock::now();
    CaseResult result = judge(test, std::nullopt, 0);
    try {
      result = kept_or_checked(test);
    } catch (const Error& error) {
      result.message = error.what();
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

  const CommandSettings& settings_;
  std::vector<TestCase> cases_;
  std::vector<CaseResult> results_;
  std::string lines_;
};

}  // namespace

int run_test(const CommandSettings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no manifest given; try: spillway test spillway.toml, or spillway "
                "test --help");
  return Suite(settings).run();
}

}  // namespace spillway
