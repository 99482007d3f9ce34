#include "cli/case_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "cli/options/check_identity.h"
#include "cli/session/kept_run.h"
#include "io/io_error.h"
#include "io/texts/system_file_system.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostStemBytes = 60;
constexpr std::size_t kKeyDigits = 16;

// A link is none: what it leads to belongs to somebody else.
bool is_folder(const std::string& path) {
  std::error_code none;
  return fs::is_directory(fs::symlink_status(path, none));
}

bool is_key(std::string_view text) {
  return text.size() == kKeyDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Another one if anything has changed that a run depends on.  Nothing: what is to be checked cannot
// be read.
std::optional<std::string> key_of(const CommandSettings& settings) {
  try {
    const std::string all = check_identity(settings) + '\n' + ranks_text(settings);
    return sha256(all).substr(0, kKeyDigits);
  } catch (const Error&) {  // the check will say so
    return std::nullopt;
  }
}

std::vector<std::string> words_of_check(const TestCase& test) {
  std::vector<std::string> words = {test.model};
  for (const std::string& constant : test.constants) words.push_back("--const=" + constant);
  words.insert(words.end(), test.options.begin(), test.options.end());
  return words;
}

CommandSettings settings_of(const TestCase& test) {
  const auto check = std::ranges::find(commands(), std::string_view("check"), &Command::name);
  const std::optional<CommandSettings> settings = parse(*check, words_of_check(test));
  if (!settings) throw Error(Fault::usage, "--help is no option of a case");
  return *settings;
}

// What a later process must be told again: the run may not record it, or was begun with another
// value.  Where its files are, it knows.
std::vector<std::string> options_for_resume(const CommandSettings& settings) {
  std::vector<std::string> options;
  for (const std::string& given : settings.given) {
    const std::string_view name = std::string_view(given).substr(0, given.find('='));
    const bool accepted =
        std::ranges::find(resume_options(), name, &Option::name) != resume_options().end();
    if (accepted && name != "--disk") options.push_back(given);
  }
  return options;
}

// Nothing that is wrong with the run itself.
std::string obstacle_of(const RunDirectory& run) {
  if (const std::optional<std::string> user = run.user())
    return fmt::format("{}: locked by {}", printable(run.path()), printable(*user));
  return run.place_faults().empty() ? "" : run.place_faults().front();
}

void remove_run(const std::string& path) {
  SystemFileSystem files;
  try {
    RunDirectory run = RunDirectory::open(files, path);
    run.remove();
    return;
  } catch (const Error&) {
    if (!is_folder(path)) return;
  }
  RunDirectory::remove_damaged(files, path);
}

}  // namespace

std::string file_stem(const TestCase& test) {
  std::string stem;
  for (const char c : test.name)
    stem += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ? c : '-';
  stem = stem.substr(0, kMostStemBytes);
  // No name becomes a stem with a '_'.
  return stem == test.name ? stem : stem + "_" + sha256(test.name).substr(0, 8);
}

CaseRun::CaseRun(const TestCase& test, const std::string& folder)
    : test_(test), settings_(settings_of(test)) {
  const std::optional<std::string> key = test.keeps ? key_of(settings_) : std::nullopt;
  if (!key) return;
  path_ = fmt::format("{}/{}-{}", folder, file_stem(test), *key);
  remove_others(folder);
  std::error_code none;
  if (fs::symlink_status(path_, none).type() == fs::file_type::not_found) return;
  if (!is_folder(path_)) throw not_of_a_run(path_, "it is a symbolic link or no directory");
  SystemFileSystem files;
  try {
    const RunDirectory run = RunDirectory::look(files, path_);
    native_ = run.config().native();
    goes_on_ = is_of_check(run.config(), settings_);
    obstacle_ = obstacle_of(run);
  } catch (const Error& error) {  // damaged, or not set up
    if (error.fault() == Fault::system) throw;
  }
  if (!goes_on_) remove();
}

// Runs of the case when the model or its options were others are of no use any more.
void CaseRun::remove_others(const std::string& folder) const {
  const std::string stem = file_stem(test_) + "-";
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    const bool is_one = name.starts_with(stem) && is_key(name.substr(stem.size()));
    if (!is_one || entry.path() == path_ || !is_folder(entry.path().string())) continue;
    try {
      remove_run(entry.path().string());
    } catch (const Error&) {  // it is in nobody's way
    }
  }
}

std::vector<std::string> CaseRun::command() const {
  std::vector<std::string> command;
  if (goes_on_) {
    command = options_for_resume(settings_);
    command.insert(command.begin(), {"resume", path_});
    if (native_) command.push_back("--model=" + test_.model);
  } else {
    command = words_of_check(test_);
    command.insert(command.begin(), "check");
    command.push_back("--run-dir=" + (path_.empty() ? "none" : path_));
  }
  return command;
}

std::optional<std::string> CaseRun::kept() const {
  return path_.empty() || !is_folder(path_) ? std::nullopt : std::optional(path_);
}

void CaseRun::remove() {
  goes_on_ = false;
  if (kept()) remove_run(path_);
}

}  // namespace spillway
