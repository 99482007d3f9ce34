#include "directory/chosen_run_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "base/error.h"
#include "base/process/machine.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"

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

// An option as a process needs it that may be started in another directory.
std::string with_absolute_path(const std::string& option) {
  constexpr std::string_view kDisk = "--disk=";
  if (!option.starts_with(kDisk)) return option;
  const std::string path = fs::absolute(option.substr(kDisk.size())).lexically_normal().string();
  if (printable(path) != path)
    throw Error(Fault::usage,
                fmt::format("--disk: {}: the path has characters that a run cannot record",
                            printable(path)));
  return std::string(kDisk) + path;
}

RunDirectory new_directory(FileSystem& files, const std::string& path,
                           const RunDirectoryRequest& request) {
  RunConfig config;
  config.version = request.version;
  config.begun = begun_text(utc_now());
  config.machine =
      fmt::format("{} processors, {}", allowed_processors(), bytes_text(memory_limit_bytes()));
  config.model = printable(request.model);
  config.part = request.part;
  for (const std::string& option : request.arguments)
    config.arguments.push_back(with_absolute_path(option));
  RunDirectory directory = RunDirectory::create(files, path, std::move(config), request.model);
  if (directory.config().sha256 == request.model_sha256) return directory;
  directory.remove();
  throw Error(Fault::model,
              fmt::format("{}: the file changed while it was read", printable(request.model)));
}

// Nothing in it has a meaning for a shell or a terminal.
std::string plain_stem(const std::string& model) {
  std::string stem = fs::path(model).stem().string().substr(0, kStemBytes);
  const auto is_special = [](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-';
    return !plain;
  };
  std::replace_if(stem.begin(), stem.end(), is_special, '_');
  return stem;
}

// Creates an empty directory, named after the model and the time; returns its path.
std::string make_named_directory(FileSystem& files, const std::string& disk,
                                 const std::string& model) {
  const std::tm utc = utc_now();
  const std::string first =
      (fs::path(disk) / fmt::format("spillway-{}-{:04}{:02}{:02}-{:02}{:02}{:02}",
                                    plain_stem(model), utc.tm_year + 1900, utc.tm_mon + 1,
                                    utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec))
          .string();
  std::string path = first;
  for (unsigned number = 2;; ++number) {
    const int error = files.make(path);
    if (error == 0) return path;
    if (error != EEXIST || number > kMostInASecond)
      throw Error(Fault::system, fmt::format("{}: cannot create the directory: {}", printable(path),
                                             std::strerror(error)));
    path = fmt::format("{}-{}", first, number);
  }
}

bool can_open(FileSystem& files, const std::string& path) {
  try {
    files.open(path, FileSystem::Owner::anyone);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Removes a directory that this process has created, as far as that is possible.
void remove_created(FileSystem& files, const std::string& path) {
  try {
    const std::unique_ptr<Directory> directory = files.open(path);
    for (const std::string& name : directory->names()) directory->remove(name);
  } catch (const Error&) {
  }
  files.remove(path);
}

}  // namespace

ChosenRunDirectory::ChosenRunDirectory(FileSystem& files, const RunDirectoryRequest& request,
                                       const Algorithm& algorithm, Warn warn)
    : warn_(std::move(warn)) {
  if (request.path) {
    if (!request.path->empty())
      directory_ = &created_.emplace(new_directory(files, *request.path, request));
    return;
  }
  if (request.disks.empty() || !algorithm.durable) return;
  // The search will refuse such a disk.
  if (algorithm.uses_disk && !can_open(files, request.disks.front())) return;
  try {
    create_beside_scratch(files, request);
  } catch (const Error& error) {
    if (error.fault() == Fault::model) throw;
    warn_(fmt::format("the run cannot be resumed later: {}", error.what()));
  }
}

void ChosenRunDirectory::create_beside_scratch(FileSystem& files,
                                               const RunDirectoryRequest& request) {
  const std::string path = make_named_directory(files, request.disks.front(), request.model);
  try {
    directory_ = &created_.emplace(new_directory(files, path, request));
  } catch (...) {
    remove_created(files, path);
    throw;
  }
  unrequested_ = true;
  remove_ = true;
}

ChosenRunDirectory::~ChosenRunDirectory() {
  if (!remove_) return;
  try {
    created_->remove();
  } catch (const std::exception& error) {
    warn_(error.what());
  }
}

bool ChosenRunDirectory::stays(const Verdict& verdict) const {
  if (directory_ == nullptr) return false;
  if (!unrequested_) return true;
  // Resuming would refuse the same model again.
  return !verdict.final && verdict.exit != Exit::model;
}

void ChosenRunDirectory::end(const Verdict& verdict, std::string json) {
  if (!stays(verdict)) return;
  remove_ = false;
  try {
    directory_->write_result(std::move(json));
  } catch (const Error& error) {
    warn_(error.what());
  }
}

}  // namespace spillway
