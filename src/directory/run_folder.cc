#include "directory/run_folder.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "check/manifest_files.h"
#include "check/newest_checkpoint.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "LOCK";
constexpr const char* kConfig = "config";
constexpr const char* kReadme = "README.txt";
constexpr const char* kResult = "result.json";
constexpr const char* kEarlierResult = "result-before.json";
constexpr std::uint64_t kMostConfigBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostModelBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostResultBytes = std::uint64_t{1} << 30;
constexpr std::string_view kResultSum = "  \"sha256_of_lines_above\": \"";

bool is_log_name(const std::string& name) {
  return ManifestFiles::generation_in(name).has_value() || LevelLog::number_in(name).has_value();
}

bool is_or_becomes(const std::string& name, const std::string& own) {
  return name == own || name == own + ".tmp";
}

std::string readme_text(const std::string& path, const RunConfig& config) {
  return fmt::format(
      "This directory belongs to a run of Spillway {}, started {} on {}.\n"
      "The run checks {} (SHA-256 {}).\n\n"
      "  spillway status {}   show its progress\n"
      "  spillway resume {}{}   continue from the last checkpoint\n"
      "  spillway fsck {}     read everything and report whether it is intact\n"
      "  spillway clean {}    remove the run\n\n"
      "The directory can be copied to another machine while no process is working on it.\n\n"
      "config      the model and the options of the run\n"
      "model.*     a copy of the model: this copy is checked, whatever happens to the original\n"
      "checkpoints the number of the newest checkpoint\n"
      "manifest-*  the two newest checkpoints: texts that list the complete levels\n"
      "levels-*    the states of all levels\n"
      "places      other directories with files of this run\n"
      "result.json the result of the last process, if it ended normally\n"
      "result-before.json  the result of an earlier process\n",
      config.version, config.begun, config.machine, config.model, config.sha256, path, path,
      config.native() ? " --model FILE" : "", path, path);
}

std::string model_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad())
    throw Error(Fault::model, fmt::format("{}: the file cannot be read", printable(path)));
  return text;
}

void make_folder(const std::string& path) {
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    throw Error(Fault::usage, fmt::format("--run-dir: {}: cannot create the directory: {}",
                                          printable(path), std::strerror(errno)));
  std::error_code error;
  if (fs::exists(fs::path(path) / kConfig, error))
    throw Error(
        Fault::usage,
        fmt::format("--run-dir: {} already holds a run: resume it with 'spillway resume {}', or "
                    "remove it with 'spillway clean {}'",
                    printable(path), shell_word(path), shell_word(path)));
  if (!fs::is_directory(path, error) || !fs::is_empty(path, error))
    throw Error(Fault::usage,
                fmt::format("--run-dir: {} is not an empty directory", printable(path)));
}

// The result for programs, with the run that it is of and a checksum as its last members.
std::string signed_result(std::string json, const RunMark& run) {
  constexpr std::string_view kEnd = "\n}\n";
  SPILLWAY_CHECK(json.ends_with(kEnd));
  json.resize(json.size() - kEnd.size());
  json += fmt::format(",\n  \"run\": \"{}\",\n  \"run_config\": \"{}\",\n", run.identity.hex(),
                      run.config);
  const std::string sum = sha256(json);
  return json + fmt::format("{}{}\"\n}}\n", kResultSum, sum);
}

// Whether it is what signed_result() has made for this run.
bool is_signed_result(const std::string& text, const RunMark& run) {
  const std::size_t last = text.rfind(kResultSum);
  if (last == std::string::npos) return false;
  const std::string lines = text.substr(0, last);
  return lines.ends_with(fmt::format(",\n  \"run\": \"{}\",\n  \"run_config\": \"{}\",\n",
                                     run.identity.hex(), run.config)) &&
         text.substr(last) == fmt::format("{}{}\"\n}}\n", kResultSum, sha256(lines));
}

}  // namespace

RunFolder RunFolder::create(const std::string& path, RunConfig config, const std::string& model) {
  const std::string text = model_text(model);
  config.identity = Identity::drawn();
  config.copy = copy_name(model);
  config.bytes = text.size();
  config.sha256 = sha256(text);
  parse_config(to_text(config), "--run-dir: the configuration");  // what is written can be read
  make_folder(path);
  RunFolder run(path);
  run.lock();
  const Folder& folder = run.folder_;
  if (!config.native()) folder.write(config.copy, text);
  folder.write(kReadme, readme_text(printable(shell_word(path)), config));
  folder.write(kPlaceList, to_text(PlaceList{0, {}}, config.identity) +
                               to_text(PlaceList{0, {}}, config.identity));
  folder.write(NewestCheckpoint::kName, NewestCheckpoint::first_text(config.identity));
  folder.write(kConfig, to_text(config));  // the last: it makes the folder one of a run
  Folder(fs::absolute(path).lexically_normal().parent_path().string(), Folder::Owner::anyone)
      .sync();
  run.config_ = std::move(config);
  return run;
}

RunFolder RunFolder::look(const std::string& path) {
  RunFolder run(path);
  run.read_config();
  run.find_places(false);
  return run;
}

RunFolder RunFolder::open(const std::string& path) {
  RunFolder run(path);
  run.read_config();
  run.lock();
  // or refused
  for (const char* name : {kPlaceList, NewestCheckpoint::kName}) run.folder_.open_to_change(name);
  run.find_places(true);
  return run;
}

void RunFolder::read_config() {
  const std::string shown = printable(folder_.inside(kConfig));
  if (const std::optional<std::string> text = folder_.read(kConfig, kMostConfigBytes)) {
    config_ = parse_config(*text, shown);
    return;
  }
  const std::vector<std::string> names = folder_.names();
  if (std::ranges::any_of(names, is_log_name))
    throw Error(Fault::integrity,
                fmt::format("{}: the file is missing; the run cannot be resumed", shown));
  throw Error(Fault::usage,
              std::ranges::count(names, kLock) != 0
                  ? fmt::format("{}: a run was not set up completely here; remove the directory",
                                printable(path()))
                  : fmt::format("{}: not a run directory", printable(path())));
}

void RunFolder::lock() {
  lock_ = folder_.open_or_make(kLock);
  if (flock(lock_.number(), LOCK_EX | LOCK_NB) != 0) {
    const std::string who = user().value_or("another process");
    throw Error(Fault::usage,
                fmt::format("{}: locked by {}; only one process can use a run directory at a time",
                            printable(path()), printable(who)));
  }
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  if (ftruncate(lock_.number(), 0) != 0)
    throw Error(Fault::system, fmt::format("{}: cannot write: {}", printable(folder_.inside(kLock)),
                                           std::strerror(errno)));
  write_all(lock_, folder_.inside(kLock), 0, fmt::format("process {} on {}\n", getpid(), host));
}

std::optional<std::string> RunFolder::user() const {
  const std::optional<std::string> text = folder_.read(kLock, kMostConfigBytes);
  if (!text) return std::nullopt;
  const Descriptor file = folder_.open_to_change(kLock);
  if (file.number() < 0 || flock(file.number(), LOCK_SH | LOCK_NB) == 0) return std::nullopt;
  const std::string who = text->substr(0, text->find('\n'));
  return who.empty() ? "a process" : who;
}

std::string RunFolder::model_path(const std::string& named) const {
  if (config_.native() == named.empty())
    throw Error(
        Fault::usage,
        config_.native()
            ? fmt::format("{}: the model of this run is native code, which is never loaded from a "
                          "path in a "
                          "run directory; name it with --model FILE (it was {})",
                          printable(path()), printable(config_.model))
            : fmt::format(
                  "--model is not needed: {} has a copy of its model, and that copy is checked",
                  printable(path())));
  if (!config_.native()) {
    check_copy();
    return folder_.inside(config_.copy);
  }
  if (copy_name(named) != "" || sha256_of(named) != config_.sha256)
    throw Error(Fault::integrity,
                fmt::format("{}: not the model that the run started with; start a new run",
                            printable(named)));
  return named;
}

void RunFolder::check_copy() const {
  if (config_.native()) return;
  const std::string shown = printable(folder_.inside(config_.copy));
  const std::optional<std::string> text = folder_.read(config_.copy, kMostModelBytes);
  if (!text)
    throw Error(Fault::integrity, fmt::format("{}: the model of the run is missing", shown));
  if (text->size() != config_.bytes || sha256(*text) != config_.sha256)
    throw Error(Fault::integrity,
                fmt::format("{}: not the model that the run started with; start a new run", shown));
}

void RunFolder::find_places(bool to_use) {
  const std::string shown = printable(folder_.inside(kPlaceList));
  try {
    const std::optional<std::string> text = folder_.read(kPlaceList, 2 * kPlaceListSector);
    if (!text)
      throw Error(Fault::integrity,
                  shown + ": the file is missing; the run may have files in other directories");
    list_ = parse_places(*text, config_.identity, shown);
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) throw;
    place_faults_.emplace_back(error.what());
  }
  for (const std::string& place : list_.paths) {
    try {
      places_.push_back(open_place(place, config_.identity, folder_.birthmark()));
    } catch (const Error& error) {
      place_faults_.emplace_back(error.what());
      continue;
    }
    if (to_use) lock_place(places_.back());
  }
}

std::vector<std::string> RunFolder::own_places() const {
  std::vector<std::string> all = {path()};
  for (const Place& place : places_)
    if (place.own) all.push_back(place.path);
  return all;
}

std::vector<std::string> RunFolder::places_of_original() const {
  std::vector<std::string> all;
  for (const Place& place : places_)
    if (!place.own) all.push_back(place.path);
  return all;
}

void RunFolder::need_places() const {
  if (!place_faults_.empty()) throw Error(Fault::integrity, place_faults_.front());
}

// A crash leaves the list with the new place or without it, and then nothing lies in the place.
void RunFolder::add_place(const std::string& directory) {
  need_places();
  const fs::path below = fs::absolute(directory).lexically_normal();
  const auto is_there = [&](const Place& place) {
    return place.own && fs::path(place.path).parent_path() == below;
  };
  if (std::ranges::any_of(places_, is_there)) return;
  const PlaceMark mark{config_.identity, folder_.birthmark(),
                       printable(fs::absolute(path()).lexically_normal().string())};
  const std::string path = make_place(below.string(), mark);
  PlaceList longer = list_;
  ++longer.number;
  longer.paths.push_back(path);
  const std::string sector = to_text(longer, config_.identity);
  write_all(folder_.open_to_change(kPlaceList), folder_.inside(kPlaceList),
            longer.number % 2 * kPlaceListSector, sector);
  list_ = std::move(longer);
  places_.push_back(open_place(path, config_.identity, folder_.birthmark()));
  lock_place(places_.back());
}

// A crash in the midst of it leaves the one name or the other.  Whatever is synced later in this
// folder, such as a checkpoint, comes after it.
void RunFolder::take_up() const {
  folder_.rename(kResult, kEarlierResult);
  folder_.sync();
}

void RunFolder::write_result(const std::string& json) const {
  folder_.write(kResult, signed_result(json, mark()));
}

std::optional<std::string> RunFolder::checked_result(const std::string& name) const {
  const std::optional<std::string> text = folder_.read(name, kMostResultBytes);
  if (text && !is_signed_result(*text, mark()))
    throw Error(Fault::integrity,
                printable(folder_.inside(name)) + ": corrupt, or not written by this run");
  return text;
}

std::optional<std::string> RunFolder::result() const { return checked_result(kResult); }
std::optional<std::string> RunFolder::earlier_result() const {
  return checked_result(kEarlierResult);
}

std::uint64_t RunFolder::bytes() const {
  std::uint64_t all = folder_.bytes();
  for (const Place& place : places_)
    if (place.own) all += Folder(place.path).bytes();
  return all;
}

std::vector<std::string> RunFolder::remove() {
  std::vector<std::string> left;
  const auto own_file = [&](const std::string& name) {
    const std::array<std::string, 8> files = {
        kLock,   kPlaceList,     kReadme, NewestCheckpoint::kName,
        kResult, kEarlierResult, kConfig, config_.copy};
    return is_log_name(name) || std::ranges::any_of(files, [&](const std::string& own) {
             return is_or_becomes(name, own);
           });
  };
  const auto empty = [](const Folder& folder, const auto& is_own, const std::string& last) {
    for (const std::string& name : folder.names())
      if (is_own(name) && name != last) folder.remove(name);
    folder.remove(last);
    if (rmdir(folder.path().c_str()) != 0)
      throw Error(Fault::usage, fmt::format("{}: some files do not belong to the run and are kept",
                                            printable(folder.path())));
  };
  for (const std::string& fault : place_faults_) left.push_back(fault);
  for (const Place& place : places_) {
    if (place.own)
      empty(Folder(place.path), is_log_name, kPlaceMark);
    else
      left.push_back(
          fmt::format("{}: kept: it belongs to {}, from which this run was copied; if that run is "
                      "gone, remove it yourself",
                      printable(place.path), printable(place.owner)));
  }
  folder_.remove(kConfig);  // from here on it is no run any more
  empty(folder_, own_file, kLock);
  return left;
}

}  // namespace spillway
