#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "base/error.h"
#include "base/printable.h"
#include "base/private_folder.h"
#include "base/read_file.h"
#include "base/sha256.h"
#include "check/verdict.h"
#include "cli/child_process.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "suite/suite_reports.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr Exit kNotAsExpected{1};  // that of a row in exit_codes()

// The beginning of the names of files of a case.
std::string stem_of(const TestCase& test) {
  std::string stem;
  for (const char c : test.name)
    stem += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ? c : '-';
  return stem.substr(0, 60);
}

// Another one if anything has changed that a run depends on.
std::string key_of(const TestCase& test) {
  std::string all = test.name + '\n' + sha256_of(test.model) + '\n';
  for (const std::string& constant : test.constants) all += constant + '\n';
  for (const std::string& option : test.options)
    if (!option.starts_with("--timeout=")) all += option + '\n';
  return sha256(all).substr(0, 16);
}

class Suite {
 public:
  explicit Suite(const Settings& settings)
      : settings_(settings), cases_(read_manifest(read_file(settings.subject), settings.subject)) {
    const std::string& lane = settings.suite.lane;
    if (lane.empty()) return;
    std::erase_if(cases_, [&](const TestCase& test) {
      return !test.lanes.empty() && std::ranges::find(test.lanes, lane) == test.lanes.end();
    });
    if (cases_.empty())
      throw Error(Fault::usage, fmt::format("--lane: no case is in '{}'", printable(lane)));
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
    if (any(CaseStatus::failed) || any(CaseStatus::error)) return static_cast<int>(kNotAsExpected);
    return static_cast<int>(any(CaseStatus::inconclusive) ? Exit::time : Exit::verified);
  }

  // Runs of the case when the model or its options were others are of no use any more.
  void remove_others(const TestCase& test, const std::string& kept) const {
    const std::string stem = stem_of(test) + "-";
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(settings_.suite.runs, none)) {
      const std::string name = entry.path().filename().string();
      const bool is_one = name.starts_with(stem) && name.size() == stem.size() + 16;
      if (is_one && entry.path() != kept) run_child({"clean", entry.path().string()});
    }
  }

  std::vector<std::string> command_for(const TestCase& test, const std::string& run,
                                       const std::string& result) const {
    std::vector<std::string> command;
    if (!run.empty() && fs::exists(run)) {
      command = {"resume", run};
      for (const std::string& option : test.options)
        if (option.starts_with("--timeout=")) command.push_back(option);
    } else {
      command = {"check", test.model};
      for (const std::string& constant : test.constants) command.push_back("--const=" + constant);
      command.insert(command.end(), test.options.begin(), test.options.end());
      command.push_back("--run-dir=" + (run.empty() ? "none" : run));
    }
    command.push_back("--json=" + result);
    if (!settings_.suite.reports.empty())
      command.push_back(fmt::format("--report={}/{}.html", settings_.suite.reports, stem_of(test)));
    return command;
  }

  CaseResult result_of(const TestCase& test) const {
    if (SignalsForChildren::received() != 0) {
      CaseResult result = judge(test, std::nullopt, 0);
      result.status = CaseStatus::inconclusive;
      result.message = "not started";
      return result;
    }
    std::string run;
    if (test.keeps) {
      make_folder(settings_.suite.runs);
      run = fmt::format("{}/{}-{}", settings_.suite.runs, stem_of(test), key_of(test));
      remove_others(test, run);
    }
    const PrivateFolder folder = PrivateFolder::make_temporary();
    const auto begin = std::chrono::steady_clock::now();
    const int code = run_child(command_for(test, run, folder.path() + "/result.json"));
    CaseResult result = judge(test, folder.read("result.json"), code);
    folder.remove_all();
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (run.empty() || !fs::exists(run)) return result;
    if (result.status == CaseStatus::inconclusive)
      result.continues_in = run;
    else
      run_child({"clean", run});
    return result;
  }

  const Settings& settings_;
  std::vector<TestCase> cases_;
  std::vector<CaseResult> results_;
  std::string lines_;
};

}  // namespace

int run_test(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no manifest given; try: spillway test spillway.toml, or spillway "
                "test --help");
  return Suite(settings).run();
}

}  // namespace spillway
