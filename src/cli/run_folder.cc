#include "cli/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"
#include "base/printable.h"
#include "base/sha256.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTitle = "spillway run 1";
constexpr std::size_t kPlacesBytes = 4096;  // written at once, so that it can be changed on a disk that is full
constexpr const char* kLock = "LOCK";
constexpr const char* kConfig = "config";
constexpr const char* kPlaces = "places";
constexpr const char* kReadme = "README.txt";
constexpr const char* kResult = "result.json";
constexpr const char* kEarlierResult = "result-before.json";

[[noreturn]] void refused(const std::string& path, std::string_view verb) {
  const int number = errno;
  throw Error(Fault::system, fmt::format("{}: cannot {}: {}", printable(path), verb, std::strerror(number)));
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0 || fsync(folder.number()) != 0) refused(path, "sync");
}

// The file has this text, or what it had before, whatever happens.
void write_durably(const std::string& folder, const std::string& name, std::string_view text) {
  const std::string path = folder + "/" + name;
  const std::string unfinished = path + ".tmp";
  std::error_code none;
  fs::remove(unfinished, none);
  {
    const Descriptor file(
        ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (file.number() < 0) refused(unfinished, "create");
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t some = ::write(file.number(), text.data() + done, text.size() - done);
      if (some < 0 && errno == EINTR) continue;
      if (some < 0) refused(unfinished, "write");
      done += static_cast<std::size_t>(some);
    }
    if (fsync(file.number()) != 0) refused(unfinished, "sync");
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) refused(path, "rename");
  sync_folder(folder);
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string config_text(const RunConfig& config) {
  std::string text = fmt::format("{}\nversion {}\nbegun {}\nmachine {}\nmodel {}\ncopy {}\nbytes {}\nsha256 {}\n",
                                 kTitle, config.version, config.begun, one_line(config.machine), one_line(config.model),
                                 config.copy, config.bytes, config.sha256);
  for (const std::string& argument : config.arguments) text += fmt::format("argument {}\n", one_line(argument));
  return text + fmt::format("end {}\n", sha256(text));
}

[[noreturn]] void not_as_written(const std::string& path) {
  throw Error(Fault::integrity, fmt::format("{}: is not what was written when the run began", printable(path)));
}

RunConfig parse_config(const std::string& text, const std::string& path) {
  const std::size_t end = text.rfind("end ");
  if (end == std::string::npos || text.substr(end) != fmt::format("end {}\n", sha256(text.substr(0, end))))
    not_as_written(path);
  std::istringstream lines(text.substr(0, end));
  std::string line;
  if (!std::getline(lines, line) || line != kTitle) not_as_written(path);
  RunConfig config;
  while (std::getline(lines, line)) {
    const std::string what = line.substr(0, line.find(' '));
    const std::string value = what.size() < line.size() ? line.substr(what.size() + 1) : "";
    if (what == "version") config.version = value;
    if (what == "begun") config.begun = value;
    if (what == "machine") config.machine = value;
    if (what == "model") config.model = value;
    if (what == "copy") config.copy = value;
    if (what == "bytes") config.bytes = std::stoull(value);
    if (what == "sha256") config.sha256 = value;
    if (what == "argument") config.arguments.push_back(value);
  }
  return config;
}

std::string readme_text(const std::string& path, const RunConfig& config) {
  return fmt::format(
      "This folder belongs to a run of Spillway {}, begun {} on {},\n"
      "which checks {} (SHA-256 {}).\n\n"
      "  spillway status {}   how far it is\n"
      "  spillway resume {}   go on where the last checkpoint was made\n"
      "  spillway fsck {}     read everything and say whether it is whole\n"
      "  spillway clean {}    remove the run\n\n"
      "The folder can be copied to another machine as it is, while no process works on it.\n\n"
      "config      the model and the options of the run\n"
      "model.*     a copy of the model: what is checked is this, whatever becomes of the original\n"
      "manifest-*  checkpoints, the newest two: texts that say how far the search was\n"
      "levels-*    the states of all levels\n"
      "places      other folders with files of this run\n"
      "result.json what came out when the last process ended by itself\n"
      "result-before.json  the same of a process before it\n",
      config.version, config.begun, printable(config.machine), printable(config.model), config.sha256, path, path, path,
      path);
}

}  // namespace

RunFolder RunFolder::create(const std::string& path, RunConfig config) {
  RunFolder folder(path);
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    throw Error(Fault::usage, fmt::format("--run-dir: {}: cannot be made: {}", printable(path), std::strerror(errno)));
  std::error_code error;
  if (fs::exists(folder.inside(kConfig), error))
    throw Error(Fault::usage, fmt::format("--run-dir: there is a run in {} already: continue it with 'spillway resume "
                                          "{}', or remove it with 'spillway clean {}'",
                                          printable(path), shell_word(path), shell_word(path)));
  if (!fs::is_directory(path, error) || !fs::is_empty(path, error))
    throw Error(Fault::usage, fmt::format("--run-dir: {} is not an empty folder", printable(path)));
  folder.lock();
  const std::string ending = fs::path(config.model).extension().string();
  const std::optional<std::string> text = read_file(config.model);
  if (!text) throw Error(Fault::model, fmt::format("{}: the file cannot be read", printable(config.model)));
  config.bytes = text->size();
  config.sha256 = sha256(*text);
  if (ending == ".so") {
    config.model = fs::absolute(config.model).string();
  } else {
    config.copy = "model" + ending;
    write_durably(path, config.copy, *text);
  }
  write_durably(path, kReadme, readme_text(shell_word(path), config));
  write_durably(path, kPlaces, std::string(kPlacesBytes, '\n'));
  write_durably(path, kConfig, config_text(config));
  const fs::path parent = fs::absolute(path).lexically_normal().parent_path();
  sync_folder(parent.string());
  folder.config_ = std::move(config);
  return folder;
}

RunFolder RunFolder::look(const std::string& path) {
  RunFolder folder(path);
  folder.read_config();
  return folder;
}

RunFolder RunFolder::open(const std::string& path) {
  RunFolder folder(path);
  folder.read_config();
  folder.lock();
  return folder;
}

void RunFolder::read_config() {
  const std::optional<std::string> text = read_file(inside(kConfig));
  if (!text) {
    std::error_code none;
    throw Error(Fault::usage, fs::exists(path_, none) ? fmt::format("{}: is no folder of a run", printable(path_))
                                                      : fmt::format("{}: there is no such folder", printable(path_)));
  }
  config_ = parse_config(*text, inside(kConfig));
}

void RunFolder::lock() {
  const std::string path = inside(kLock);
  const int number = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (number < 0) refused(path, "open");
  lock_ = Descriptor(number);
  if (flock(number, LOCK_EX | LOCK_NB) != 0) {
    const std::string who = user().value_or("another process");
    throw Error(Fault::usage, fmt::format("{}: {} works on this run; two at a time would spoil it", printable(path_),
                                          printable(who)));
  }
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::string text = fmt::format("process {} on {}\n", getpid(), host);
  if (ftruncate(number, 0) != 0 || pwrite(number, text.data(), text.size(), 0) < 0) refused(path, "write");
}

std::optional<std::string> RunFolder::user() const {
  const Descriptor file(::open(inside(kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file.number() < 0 || flock(file.number(), LOCK_SH | LOCK_NB) == 0) return std::nullopt;
  std::string who = read_file(inside(kLock)).value_or("");
  while (!who.empty() && who.back() == '\n') who.pop_back();
  return who.empty() ? "a process" : who;
}

std::string RunFolder::model_path() const {
  const std::string path = config_.copy.empty() ? config_.model : inside(config_.copy);
  const std::optional<std::string> text = read_file(path);
  if (!text) throw Error(Fault::model, fmt::format("{}: the model of the run cannot be read", printable(path)));
  if (text->size() != config_.bytes || sha256(*text) != config_.sha256)
    throw Error(Fault::integrity,
                fmt::format("{}: is not the model that the run began with; begin a new run", printable(path)));
  return path;
}

std::vector<std::string> RunFolder::places() const {
  std::vector<std::string> all = {path_};
  std::istringstream lines(read_file(inside(kPlaces)).value_or(""));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) all.push_back(line);
  return all;
}

void RunFolder::add_place(const std::string& directory) {
  const std::string place =
      (fs::absolute(directory) / ("spillway-" + sha256(config_text(config_)).substr(0, 16))).string();
  std::vector<std::string> all = places();
  if (std::find(all.begin(), all.end(), place) != all.end()) return;
  if (mkdir(place.c_str(), S_IRWXU) != 0 && errno != EEXIST) refused(place, "make the folder");
  all.push_back(place);
  std::string text;
  for (std::size_t i = 1; i < all.size(); ++i) text += all[i] + "\n";
  if (text.size() > kPlacesBytes || place.find('\n') != std::string::npos)
    throw Error(Fault::usage, fmt::format("--disk: {}: there are too many places, or their names are too long",
                                          printable(directory)));
  text.resize(kPlacesBytes, '\n');
  const std::string path = inside(kPlaces);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));  // in place: the disk may be full
  if (file.number() < 0) refused(path, "open");
  if (pwrite(file.number(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) refused(path, "write");
  if (fsync(file.number()) != 0) refused(path, "sync");
}

// A crash in the midst of it leaves the one name or the other.  Whatever is synced later in this folder, such as a
// checkpoint, comes after it.
void RunFolder::take_up() const {
  if (::rename(inside(kResult).c_str(), inside(kEarlierResult).c_str()) != 0 && errno != ENOENT)
    refused(inside(kResult), "rename");
  sync_folder(path_);
}

void RunFolder::write_result(const std::string& json) const { write_durably(path_, kResult, json); }

std::optional<std::string> RunFolder::result() const { return read_file(inside(kResult)); }

std::optional<std::string> RunFolder::earlier_result() const { return read_file(inside(kEarlierResult)); }

void RunFolder::remove() {
  const auto is_ours = [&](const std::string& name) {
    for (const std::string_view prefix : {"manifest-", "levels-"})
      if (name.starts_with(prefix)) return true;
    for (const std::string& own : {std::string(kLock), std::string(kPlaces), std::string(kReadme), std::string(kResult),
                                   std::string(kEarlierResult), std::string(kConfig), config_.copy})
      if (name == own || name == own + ".tmp") return true;
    return false;
  };
  std::vector<std::string> all = places();
  std::reverse(all.begin(), all.end());  // its own folder last, and in it what makes it a run
  std::error_code error;
  for (const std::string& place : all) {
    for (const bool last : {false, true})
      for (const fs::directory_entry& entry : fs::directory_iterator(place, error)) {
        const std::string name = entry.path().filename().string();
        if (!is_ours(name) || (name == kConfig || name == kLock) != last) continue;
        fs::remove(entry.path(), error);
      }
    if (!fs::is_empty(place, error) || error || !fs::remove(place, error))
      throw Error(Fault::usage, fmt::format("{}: has files that are not of the run; those are left", printable(place)));
  }
}

}  // namespace spillway
