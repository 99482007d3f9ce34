#include "directory/run_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "base/text/read_file.h"
#include "check/durable/file_names.h"
#include "check/durable/manifest_files.h"
#include "check/durable/newest_checkpoint.h"
#include "directory/readme.h"
#include "directory/run_result.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "LOCK";
constexpr const char* kConfig = "config";
constexpr const char* kReadme = "README.txt";
constexpr const char* kNow = "now";
constexpr const char* kResult = "result.json";
constexpr const char* kEarlierResult = "result-before.json";
constexpr std::uint64_t kMostConfigBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostModelBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostNowBytes = 4096;
constexpr std::uint64_t kMostResultBytes = std::uint64_t{1} << 30;

bool is_or_becomes(const std::string& name, const std::string& own) {
  return name == own || name == own + ".tmp";
}

// Throws Error(usage).  REQUIRES: it exists.
void need_empty(FileSystem& files, const std::string& path) {
  std::vector<std::string> names;
  try {
    names = files.open(path, FileSystem::Owner::anyone)->names();
  } catch (const Error&) {
    throw Error(Fault::usage,
                fmt::format("--run-dir: {} is not an empty directory", printable(path)));
  }
  if (std::ranges::count(names, kConfig) != 0)
    throw Error(
        Fault::usage,
        fmt::format("--run-dir: {} already holds a run: resume it with 'spillway resume {}', or "
                    "remove it with 'spillway clean {}'",
                    printable(path), shell_word(path), shell_word(path)));
  if (!names.empty())
    throw Error(Fault::usage,
                fmt::format("--run-dir: {} is not an empty directory", printable(path)));
}

[[noreturn]] void refuse_other_files(const std::string& path) {
  throw Error(Fault::usage,
              fmt::format("{}: some files do not belong to the run and are kept", printable(path)));
}

// Creates a directory, or takes an empty one: false.  Throws Error(usage).
bool make_empty(FileSystem& files, const std::string& path) {
  const int number = files.make(path);
  if (number != 0 && number != EEXIST)
    throw Error(Fault::usage, fmt::format("--run-dir: {}: cannot create the directory: {}",
                                          printable(path), std::strerror(number)));
  need_empty(files, path);
  return number == 0;
}

// Removes what is `own`, `last` at the end, and the directory.
template <class IsOwn>
void empty(FileSystem& files, Directory& directory, const IsOwn& is_own, const std::string& last) {
  for (const std::string& name : directory.names())
    if (is_own(name) && name != last) directory.remove(name);
  directory.remove(last);
  if (files.remove(directory.path()) != 0) refuse_other_files(directory.path());
}

}  // namespace

void need_new_directory(FileSystem& files, const std::string& path) {
  std::error_code none;
  if (files.is_directory(path) || fs::exists(path, none)) need_empty(files, path);
}

RunDirectory::RunDirectory(FileSystem& files, const std::string& path)
    : files_(&files), directory_(files.open(path)) {}

RunDirectory RunDirectory::create(FileSystem& files, const std::string& path, RunConfig config,
                                  const std::string& model) {
  const std::string text = read_file(model);
  config.identity = Identity::drawn();
  config.copy = copy_name(model);
  config.bytes = text.size();
  config.sha256 = sha256(text);
  parse_config(to_text(config), "--run-dir: the configuration");  // what is written can be read
  const bool is_made = make_empty(files, path);
  try {
    RunDirectory run(files, path);
    run.lock();
    run.set_up(std::move(config), text);
    files.sync_above(path);
    return run;
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) throw;  // another process has come first, and uses it
    remove_made_files(files, path);
    if (is_made) files.remove(path);
    throw;
  }
}

void RunDirectory::set_up(RunConfig config, const std::string& text) {
  Directory& directory = *directory_;
  if (!config.native()) directory.write(config.copy, text);
  directory.write(kReadme, readme_text(printable(shell_word(path())), config));
  const std::string no_places = to_text(PlaceList{0, {}}, config.identity);
  directory.write(kPlaceList, no_places + no_places);
  directory.write(NewestCheckpoint::kName, NewestCheckpoint::first_text(config.identity));
  directory.write(kConfig, to_text(config));  // the last: it makes this a run directory
  config_ = std::move(config);
}

void RunDirectory::remove_made_files(FileSystem& files, const std::string& path) {
  try {
    const RunDirectory run(files, path);
    for (const std::string& name : run.directory_->names())
      if (run.is_own(name) || is_copy_of_model(name)) run.directory_->remove(name);
  } catch (const Error&) {  // what is left takes room, and nothing else
  }
}

RunDirectory RunDirectory::look(FileSystem& files, const std::string& path) {
  RunDirectory run(files, path);
  run.read_config();
  run.find_places(false);
  return run;
}

RunDirectory RunDirectory::open(FileSystem& files, const std::string& path) {
  RunDirectory run(files, path);
  run.read_config();
  run.lock();
  // These are changed in place: links are refused before anything is done.
  for (const char* name : {kPlaceList, NewestCheckpoint::kName})
    run.directory_->open_to_change(name);
  run.find_places(true);
  return run;
}

void RunDirectory::read_config() {
  const std::string shown = printable(directory_->inside(kConfig));
  if (const std::optional<std::string> text = directory_->read(kConfig, kMostConfigBytes)) {
    config_ = parse_config(*text, shown);
    return;
  }
  const std::vector<std::string> names = directory_->names();
  if (std::ranges::any_of(names, is_of_journal))
    throw Error(Fault::integrity,
                fmt::format("{}: the file is missing; the run cannot be resumed", shown));
  if (std::ranges::count(names, kLock) != 0)
    throw Error(Fault::usage,
                fmt::format("{}: a run was not set up completely here; remove the directory",
                            printable(path())));
  throw Error(Fault::usage, fmt::format("{}: not a run directory", printable(path())));
}

void RunDirectory::lock() {
  lock_ = directory_->open_or_make(kLock);
  if (lock_ == nullptr || !lock_->lock(TextFile::Sharing::exclusive)) {
    const std::string who = user().value_or("another process");
    throw Error(Fault::usage,
                fmt::format("{}: locked by {}; only one process can use a run directory at a time",
                            printable(path()), printable(who)));
  }
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  lock_->clear();
  lock_->write(0, fmt::format("process {} on {}\n", getpid(), host));
}

std::optional<std::string> RunDirectory::user() const {
  const std::optional<std::string> text = directory_->read(kLock, kMostConfigBytes);
  if (!text) return std::nullopt;
  const std::unique_ptr<TextFile> file = directory_->open_to_change(kLock);
  if (file == nullptr || file->lock(TextFile::Sharing::shared)) return std::nullopt;
  const std::string who = text->substr(0, text->find('\n'));
  return who.empty() ? "a process" : who;
}

std::string RunDirectory::model_path(const std::string& named) const {
  if (!config_.native()) {
    if (!named.empty())
      throw Error(
          Fault::usage,
          fmt::format("--model is not needed: {} has a copy of its model, and that copy is checked",
                      printable(path())));
    check_copy();
    return directory_->inside(config_.copy);
  }
  if (named.empty())
    throw Error(
        Fault::usage,
        fmt::format("{}: the model of this run is native code, which is never loaded from a path "
                    "in a run directory; name it with --model FILE (it was {})",
                    printable(path()), printable(config_.model)));
  if (copy_name(named) != "" || sha256_of(named) != config_.sha256)
    throw Error(Fault::integrity,
                fmt::format("{}: not the model that the run started with; start a new run",
                            printable(named)));
  return named;
}

void RunDirectory::check_copy() const {
  if (config_.native()) return;
  const std::string shown = printable(directory_->inside(config_.copy));
  const std::optional<std::string> text = directory_->read(config_.copy, kMostModelBytes);
  if (!text)
    throw Error(Fault::integrity, fmt::format("{}: the model of the run is missing", shown));
  if (text->size() != config_.bytes || sha256(*text) != config_.sha256)
    throw Error(Fault::integrity,
                fmt::format("{}: not the model that the run started with; start a new run", shown));
}

void RunDirectory::find_places(bool to_use) {
  const std::string shown = printable(directory_->inside(kPlaceList));
  try {
    const std::optional<std::string> text = directory_->read(kPlaceList, 2 * kPlaceListSector);
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
      places_.push_back(open_place(*files_, place, config_.identity, directory_->birthmark()));
    } catch (const Error& error) {
      place_faults_.emplace_back(error.what());
      continue;
    }
    if (to_use) lock_place(*files_, places_.back());
  }
}

std::vector<std::string> RunDirectory::own_places() const {
  std::vector<std::string> all = {path()};
  for (const RunPlace& place : places_)
    if (place.own) all.push_back(place.path);
  return all;
}

std::vector<std::string> RunDirectory::places_of_original() const {
  std::vector<std::string> all;
  for (const RunPlace& place : places_)
    if (!place.own) all.push_back(place.path);
  return all;
}

void RunDirectory::need_places() const {
  if (!place_faults_.empty()) throw Error(Fault::integrity, place_faults_.front());
}

// A crash leaves the list with the new place or without it, and then nothing lies in the place.
void RunDirectory::add_place(const std::string& directory) {
  need_places();
  const fs::path below = fs::absolute(directory).lexically_normal();
  const auto is_there = [&](const RunPlace& place) {
    return place.own && fs::path(place.path).parent_path() == below;
  };
  if (std::ranges::any_of(places_, is_there)) return;
  const PlaceMark mark{config_.identity, directory_->birthmark(),
                       printable(fs::absolute(path()).lexically_normal().string())};
  const std::string path = make_place(*files_, below.string(), mark);
  PlaceList longer = list_;
  ++longer.number;
  longer.paths.push_back(path);
  write_list(longer);
  list_ = std::move(longer);
  places_.push_back(open_place(*files_, path, config_.identity, directory_->birthmark()));
  lock_place(*files_, places_.back());
}

void RunDirectory::write_list(const PlaceList& list) const {
  const std::string sector = to_text(list, config_.identity);
  const std::unique_ptr<TextFile> file = directory_->open_to_change(kPlaceList);
  if (file == nullptr)
    throw Error(Fault::integrity,
                printable(directory_->inside(kPlaceList)) + ": the file is missing");
  file->write(list.number % 2 * kPlaceListSector, sector);
}

// A crash in the middle leaves the one name or the other.  Whatever is synced later in this
// directory, such as a checkpoint, comes after it.
void RunDirectory::take_up() const {
  directory_->remove(kNow);
  directory_->rename(kResult, kEarlierResult);
  directory_->sync();
}

void RunDirectory::write_live_status(const LiveStatus& now) const {
  directory_->write(kNow, to_text(now, config_.identity));
}

std::optional<LiveStatus> RunDirectory::live_status() const {
  try {
    const std::optional<std::string> text = directory_->read(kNow, kMostNowBytes);
    return text ? parse_live_status(*text, config_.identity) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void RunDirectory::write_result(std::string json) const {
  directory_->write(kResult, signed_result(std::move(json), mark()));
}

std::optional<std::string> RunDirectory::checked_result(const std::string& name) const {
  const std::optional<std::string> text = directory_->read(name, kMostResultBytes);
  if (text && !is_signed_result(*text, mark()))
    throw Error(Fault::integrity,
                printable(directory_->inside(name)) + ": corrupt, or not written by this run");
  return text;
}

std::optional<std::string> RunDirectory::result() const { return checked_result(kResult); }
std::optional<std::string> RunDirectory::earlier_result() const {
  return checked_result(kEarlierResult);
}

std::uint64_t RunDirectory::bytes() const {
  std::uint64_t all = directory_->bytes();
  for (const RunPlace& place : places_)
    if (place.own) all += files_->open(place.path)->bytes();
  return all;
}

bool RunDirectory::is_own(const std::string& name) const {
  const std::array<std::string, 9> files = {
      kLock,          kPlaceList, kReadme,     NewestCheckpoint::kName, kNow, kResult,
      kEarlierResult, kConfig,    config_.copy};
  const auto is = [&](const std::string& own) { return is_or_becomes(name, own); };
  return is_of_journal(name) || std::ranges::any_of(files, is);
}

std::vector<std::string> RunDirectory::remove() {
  std::vector<std::string> left = place_faults_;
  for (const RunPlace& place : places_) {
    if (place.own)
      empty(*files_, *files_->open(place.path), is_of_journal, kPlaceMark);
    else
      left.push_back(
          fmt::format("{}: kept: it belongs to {}, from which this run was copied; if that run is "
                      "gone, remove it yourself",
                      printable(place.path), printable(place.owner)));
  }
  directory_->remove(kConfig);  // from here on it is no run directory any more
  const auto own = [&](const std::string& name) { return is_own(name); };
  empty(*files_, *directory_, own, kLock);
  return left;
}

void RunDirectory::remove_damaged(FileSystem& files, const std::string& path) {
  RunDirectory run(files, path);
  const auto own = [&](const std::string& name) {
    const bool temporary = name.ends_with(".tmp");
    return run.is_own(name) || is_copy_name(temporary ? name.substr(0, name.size() - 4) : name);
  };
  if (!std::ranges::all_of(run.directory_->names(), own)) refuse_other_files(path);
  run.lock();
  run.directory_->remove(kConfig);
  empty(files, *run.directory_, own, kLock);
}

}  // namespace spillway
