#include "cli/kept_run.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "base/error.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/quantity.h"
#include "cli/commands.h"
#include "report/version.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStemBytes = 60;
constexpr unsigned kMostInASecond = 1000;

std::tm utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return utc;
}

std::string begun_text(const std::tm& utc) {
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

// An option as another process needs it, which may be started elsewhere.
std::string wherever_it_is_read(const std::string& option) {
  constexpr std::string_view kDisk = "--disk=";
  if (!option.starts_with(kDisk)) return option;
  const std::string path = fs::absolute(option.substr(kDisk.size())).lexically_normal().string();
  if (printable(path) != path)
    throw Error(Fault::usage,
                fmt::format("--disk: {}: the path has characters that a run cannot record",
                            printable(path)));
  return std::string(kDisk) + path;
}

RunFolder new_folder(const std::string& path, const Settings& settings,
                     const std::string& model_sha256) {
  RunConfig config;
  config.version = kVersion;
  config.begun = begun_text(utc_now());
  config.machine =
      fmt::format("{} processors, {}", allowed_processors(), bytes_text(memory_limit_bytes()));
  config.model = printable(settings.subject);
  for (const std::string& option : settings.given)
    if (kept_for_later(option)) config.arguments.push_back(wherever_it_is_read(option));
  RunFolder folder = RunFolder::create(path, std::move(config), settings.subject);
  if (folder.config().sha256 != model_sha256)
    throw Error(Fault::model,
                fmt::format("{}: the file changed while it was read", printable(settings.subject)));
  return folder;
}

// Nothing in it has a meaning for a shell or a terminal.
std::string plain_stem(const std::string& model) {
  std::string stem = fs::path(model).stem().string().substr(0, kStemBytes);
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-';
  };
  std::replace_if(
      stem.begin(), stem.end(), [&](char c) { return !plain(c); }, '_');
  return stem;
}

// An empty folder that was not there before.
std::string make_folder(const std::string& disk, const std::string& model) {
  const std::tm utc = utc_now();
  const std::string first =
      (fs::path(disk) / fmt::format("spillway-{}-{:04}{:02}{:02}-{:02}{:02}{:02}",
                                    plain_stem(model), utc.tm_year + 1900, utc.tm_mon + 1,
                                    utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec))
          .string();
  std::string path = first;
  for (unsigned number = 2; mkdir(path.c_str(), S_IRWXU) != 0; ++number) {
    if (errno != EEXIST || number > kMostInASecond)
      throw Error(Fault::system, fmt::format("{}: cannot create the directory: {}", printable(path),
                                             std::strerror(errno)));
    path = fmt::format("{}-{}", first, number);
  }
  return path;
}

}  // namespace

KeptRun::KeptRun(const Settings& settings, const Algorithm& algorithm,
                 const std::string& model_sha256) {
  if (settings.run_dir) {
    if (!settings.run_dir->empty())
      folder_ = &made_.emplace(new_folder(*settings.run_dir, settings, model_sha256));
    return;
  }
  if (settings.disks.empty() || !algorithm.durable) return;
  std::error_code none;
  // which will be refused
  if (algorithm.uses_disk && !fs::is_directory(settings.disks.front(), none)) return;
  try {
    begin_beside_scratch(settings, model_sha256);
  } catch (const Error& error) {
    if (error.fault() == Fault::model) throw;
    say(stderr, fmt::format("spillway: the run cannot be resumed later: {}\n", error.what()));
  }
}

void KeptRun::begin_beside_scratch(const Settings& settings, const std::string& model_sha256) {
  const std::string path = make_folder(settings.disks.front(), settings.subject);
  try {
    folder_ = &made_.emplace(new_folder(path, settings, model_sha256));
    unasked_ = goes_ = true;
  } catch (...) {
    std::error_code none;
    fs::remove_all(path, none);  // made a moment ago, for nobody else
    throw;
  }
}

KeptRun::~KeptRun() {
  if (goes_) try {
      made_->remove();
    } catch (const std::exception& error) {
      say(stderr, fmt::format("spillway: {}\n", error.what()));
    }
}

bool KeptRun::stays(const Verdict& verdict) const {
  if (folder_ == nullptr) return false;
  // the same model would be refused again
  return !unasked_ || (!verdict.final && verdict.exit != Exit::model);
}

void KeptRun::end(const Verdict& verdict, const std::string& json) {
  if (!stays(verdict)) return;
  goes_ = false;
  try {
    folder_->write_result(json);
  } catch (const Error& error) {
    say(stderr, fmt::format("spillway: {}\n", error.what()));
  }
}

}  // namespace spillway
