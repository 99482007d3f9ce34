#include "cli/session/rank_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/signed_text.h"
#include "check/durable/file_names.h"
#include "check/durable/redistribute.h"
#include "cli/options/check_identity.h"
#include "directory/labelled_lines.h"
#include "io/data/system_disk.h"
#include "io/io_error.h"

namespace spillway {
namespace {

constexpr const char* kParts = "parts";
constexpr const char* kMark = "shared-out";
constexpr std::string_view kMarkTitle = "spillway share-out";
constexpr std::uint64_t kMarkVersion = 1;
constexpr std::string_view kMarkChecksum = "end";
constexpr std::uint64_t kMostBytes = 1000;

std::string mark_text(const Identity& run) {
  return with_checksum(fmt::format("{}run {}\n", title_line(kMarkTitle, kMarkVersion), run.hex()),
                       kMarkChecksum);
}

// A part of the run, with its journal.
struct RankPart {
  RunDirectory directory;
  std::unique_ptr<SystemDisk> disk;
  std::size_t words = 1;  // of the rows in its newest checkpoint

  explicit RankPart(RunDirectory opened) : directory(std::move(opened)) {
    directory.need_places();
    const std::vector<std::string> places = directory.own_places();
    disk = std::make_unique<SystemDisk>(
        SystemDisk::Options{places, SystemDisk::Keep::yes, EngineKind::best, places.size() - 1,
                            nullptr, directory.places_of_original()});
    std::vector<std::string> faults;
    if (const auto newest = ManifestFiles(*disk, directory.mark()).newest(faults))
      words = newest->form.shape.words;
  }

  std::unique_ptr<Journal> journal(std::size_t row_words, std::uint64_t memory_bytes, unsigned rank,
                                   unsigned ranks) {
    JournalSettings settings;
    settings.run = directory.mark();
    settings.begun = true;
    settings.rank = rank;
    settings.ranks = ranks;
    // What is left behind is removed afterwards, also a checkpoint that could not be read.
    settings.patient = true;
    return std::make_unique<Journal>(*disk, row_words, memory_bytes, settings);
  }
};

using Journals = std::vector<std::unique_ptr<Journal>>;

// Copies what the parts before have in common to those after.
void copy(std::vector<RankPart>& before, std::vector<RankPart>& after, std::uint64_t memory_bytes,
          const RankFolders::Say& say) {
  std::size_t words = 1;
  for (const RankPart& one : before) words = std::max(words, one.words);
  const std::uint64_t each = memory_bytes / (before.size() + after.size());
  Journals from;
  Journals to;
  for (RankPart& one : before)
    from.push_back(one.journal(one.words, each, static_cast<unsigned>(from.size()),
                               static_cast<unsigned>(before.size())));
  for (RankPart& one : after)
    to.push_back(one.journal(words, each, static_cast<unsigned>(to.size()),
                             static_cast<unsigned>(after.size())));
  Crew crew(1);
  redistribute(from, to, crew);
  for (const std::string& why : from.front()->rejected()) say("checkpoint skipped: " + why);
  for (const std::unique_ptr<Journal>& journal : from)
    if (!journal->doubt().empty()) say(journal->doubt());
}

// Older versions gave a run no identity of its own.
Identity run_of_parts(const RunConfig& first) {
  return first.part ? first.part->run : first.identity;
}

void remove_part(RunDirectory& part, const RankFolders::Say& say) {
  try {
    for (const std::string& left : part.remove()) say(left);
  } catch (const Error& error) {
    say(error.what());
  }
}

// Drawn by one of the ranks.
Identity shared_identity(Cluster& cluster) {
  const std::string first = cluster.told(Identity::drawn().hex()).front();
  return Identity::from_hex(first).value();
}

}  // namespace

std::string part_claim(const RunDirectory& part) {
  const RunConfig& config = part.config();
  const std::string check = check_identity(config, part.path() + "/config");
  if (!config.part) return check;
  return fmt::format("{} {} {} {}", check, config.part->run.hex(), config.part->rank,
                     config.part->ranks);
}

void need_one_run(const std::string& directory, const std::vector<std::string>& claims) {
  const std::string& first = claims.front();
  const bool says_its_rank = first.find(' ') != std::string::npos;
  if (says_its_rank && !first.ends_with(fmt::format(" {}", claims.size())))
    throw Error(
        Fault::usage,
        fmt::format("{}: the run has {} parts, but {} are here: resume it with as many "
                    "ranks as it had, or where all parts are",
                    printable(directory), first.substr(first.rfind(' ') + 1), claims.size()));
  const std::string shared = first.substr(0, first.find(" 0 "));
  for (std::size_t rank = 0; rank < claims.size(); ++rank) {
    const std::string expected =
        says_its_rank ? fmt::format("{} {} {}", shared, rank, claims.size()) : first;
    if (claims[rank] != expected)
      throw Error(Fault::integrity,
                  fmt::format("{}: {} is not rank {} of the run that {} is a part of: resume "
                              "each run with its own parts",
                              printable(directory), rank_folder(static_cast<unsigned>(rank)), rank,
                              rank_folder(0)));
  }
}

RankFolders::RankFolders(FileSystem& files, const std::string& directory)
    : files_(files), directory_(directory) {
  if (!files_.is_directory(directory_)) return;
  current_ = named_by_parts();
  if (!current_.empty() && (!is_share_out_folder(current_) || !files_.is_directory(folder())))
    throw Error(Fault::integrity,
                fmt::format("{}/{}: names no folder of this run", printable(directory_), kParts));
  look();
}

// Nobody else may exchange a part while it is used.
void RankFolders::look() {
  ranks_ = 0;
  for (const std::string& name : files_.open(folder(), FileSystem::Owner::anyone)->names()) {
    const std::optional<unsigned> rank = rank_of_folder(name);
    if (!rank) continue;
    if (!files_.is_directory(part(*rank)))
      throw not_of_a_run(part(*rank), "it is a symbolic link or no directory");
    ranks_ = std::max(ranks_, *rank + 1);
  }
  if (ranks_ == 0) return;
  files_.open(directory_);
  files_.open(folder());
}

std::string RankFolders::named_by_parts() const {
  const std::optional<std::string> text =
      files_.open(directory_, FileSystem::Owner::anyone)->read(kParts, kMostBytes);
  return text ? text->substr(0, text->find('\n')) : "";
}

void RankFolders::begin(FileSystem& files, RunDirectoryRequest& request, Cluster& cluster) {
  if (cluster.ranks() == 1 || !request.path || request.path->empty()) return;
  begin(files, *request.path, cluster);
  request.part = RunPart{shared_identity(cluster), cluster.rank(), cluster.ranks()};
  request.path = RankFolders(files, *request.path).part(cluster.rank());
}

void RankFolders::begin(FileSystem& files, const std::string& directory, Cluster& cluster) {
  std::string why_not;
  try {
    need_new_directory(files, directory);
  } catch (const Error& error) {
    why_not = error.what();
  }
  // When all have said so, all have looked, and nobody has made anything yet.
  for (const std::string& why : cluster.told(why_not))
    if (!why.empty()) cluster.refuse({Fault::usage, why});
  if (const int number = files.make(directory); number != 0 && number != EEXIST)
    throw Error(Fault::usage, fmt::format("--run-dir: {}: cannot create the directory: {}",
                                          printable(directory), std::strerror(number)));
  files.open(directory);  // is it ours alone?
}

std::string RankFolders::folder() const { return current_.empty() ? directory_ : inside(current_); }

std::string RankFolders::part(unsigned rank) const {
  return fmt::format("{}/{}", folder(), rank_folder(rank));
}

std::string RankFolders::run_of(const std::string& part, const Cluster& cluster) {
  const std::filesystem::path folder = std::filesystem::path(part).parent_path();
  std::error_code none;
  const bool shared_out = is_share_out_folder(folder.filename().string()) &&
                          std::filesystem::exists(folder.parent_path() / kParts, none);
  if (shared_out) return folder.parent_path().string();
  return cluster.ranks() == 1 ? part : folder.string();
}

std::vector<RunDirectory> RankFolders::open_all() const {
  std::vector<RunDirectory> all;
  std::vector<std::string> claims;
  for (unsigned rank = 0; rank < ranks_; ++rank) {
    all.push_back(RunDirectory::open(files_, part(rank)));
    claims.push_back(part_claim(all.back()));
  }
  need_one_run(directory_, claims);
  return all;
}

std::string RankFolders::make_folder(unsigned ranks, const Identity& run) const {
  for (unsigned attempt = 1;; ++attempt) {
    const std::string name = fmt::format("{}{}-{}", kShareOutPrefix, ranks, attempt);
    const int number = uninterrupted([&] { return files_.make(inside(name)); });
    if (number == EEXIST) continue;
    if (number != 0) throw text_error(inside(name), "create", number);
    try {
      files_.open(inside(name))->write(kMark, mark_text(run));
    } catch (const Error&) {
      files_.open(inside(name))->remove(std::string(kMark) + ".tmp");
      files_.remove(inside(name));
      throw;
    }
    return name;
  }
}

void RankFolders::share_out(unsigned wanted, std::uint64_t memory_bytes, const Say& say) {
  std::vector<RankPart> before;
  for (RunDirectory& directory : open_all()) before.emplace_back(std::move(directory));
  const RunConfig& first = before.front().directory.config();
  if (first.native())
    throw Error(Fault::usage,
                "a run of native code is resumed with as many ranks as it had before");
  const Identity run = run_of_parts(first);
  remove_others(run, say);
  const std::string name = make_folder(wanted, run);
  // To the end, so that nobody else shares out while this looks around.
  std::vector<RankPart> after;
  try {
    for (unsigned rank = 0; rank < wanted; ++rank)
      after.emplace_back(
          make_part(inside(name), RunPart{run, rank, wanted}, before.front().directory));
    copy(before, after, memory_bytes, say);
    files_.sync_above(inside(name));
    files_.open(directory_)->write(kParts, name + "\n");
  } catch (...) {
    after.clear();
    take_back(name, run);
    throw;
  }
  // From here on the new parts count, and nothing may fail.
  const std::string old = std::exchange(current_, name);
  ranks_ = wanted;
  try {
    for (RankPart& one : before) {
      one.disk.reset();
      remove_part(one.directory, say);
    }
    before.clear();
    if (!old.empty()) remove_folder(old, run, say);
    remove_others(run, say);
  } catch (const Error& error) {
    say(error.what());
  }
}

// A part like one that is there, with nothing in it.
RunDirectory RankFolders::make_part(const std::string& folder, const RunPart& part,
                                    const RunDirectory& like) const {
  const std::string path = fmt::format("{}/{}", folder, rank_folder(part.rank));
  if (const int number = uninterrupted([&] { return files_.make(path); }))
    throw text_error(path, "create", number);
  RunConfig config = like.config();
  config.part = part;
  RunDirectory made = RunDirectory::create(files_, path, config, like.model_path(""));
  if (made.config().sha256 != like.config().sha256)
    throw Error(
        Fault::integrity,
        fmt::format("{}: the model of the run changed while it was copied", printable(directory_)));
  return made;
}

// A folder that was not finished.
void RankFolders::take_back(const std::string& name, const Identity& run) const {
  try {
    if (named_by_parts() != name) remove_folder(name, run, [](const std::string&) {});
  } catch (const Error&) {  // what is left is removed the next time
  }
}

std::optional<Identity> RankFolders::maker_of(const std::string& folder) const {
  if (!files_.is_directory(folder)) return std::nullopt;
  const std::string name = folder + "/" + kMark;
  try {
    const std::optional<std::string> text = files_.open(folder)->read(kMark, kMostBytes);
    if (!text) return std::nullopt;
    const std::string_view body = without_checksum(*text, kMarkChecksum, name);
    check_title(body, kMarkTitle, kMarkVersion, name);
    return LabelledLines(body.substr(body.find('\n') + 1), name).next_identity("run");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Parts that this run has made, in a folder that it has made, complete or not.
void RankFolders::remove_folder(const std::string& name, const Identity& run,
                                const Say& say) const {
  const std::string folder = inside(name);
  for (const std::string& one : files_.open(folder)->names()) {
    const std::string part = folder + "/" + one;
    if (!rank_of_folder(one) || !files_.is_directory(part)) continue;
    try {
      RunDirectory directory = RunDirectory::open(files_, part);
      const std::optional<RunPart>& of = directory.config().part;
      if (of && of->run == run) directory.remove();
    } catch (const Error&) {
      const std::vector<std::string> names = files_.open(part)->names();
      if (std::ranges::count(names, "config") != 0) continue;  // in use, or of somebody else
      RunDirectory::remove_made_files(files_, part);
      files_.remove(part);
    }
  }
  files_.open(folder)->remove(kMark);
  if (files_.remove(folder) == 0) return;
  say(fmt::format("{}: some files do not belong to the run and are kept", printable(folder)));
}

// What an earlier process of this run was ended over.
void RankFolders::remove_others(const Identity& run, const Say& say) const {
  for (const std::string& name : files_.open(directory_)->names()) {
    if (name == current_) continue;
    if (is_share_out_folder(name) && maker_of(inside(name)) == run) remove_folder(name, run, say);
    if (current_.empty() || !rank_of_folder(name) || !files_.is_directory(inside(name))) continue;
    try {
      RunDirectory old = RunDirectory::open(files_, inside(name));
      if (run_of_parts(old.config()) == run) old.remove();
    } catch (const Error&) {  // not ours, or in use
    }
  }
}

std::uint64_t RankFolders::remove(const Say& say) {
  std::uint64_t bytes = 0;
  std::vector<RunDirectory> parts = open_all();
  const Identity run = run_of_parts(parts.front().config());
  // The first, so that it never names a folder that is gone.
  if (!files_.open(directory_)->remove(kParts))
    throw Error(Fault::system,
                fmt::format("{}/{}: cannot be removed", printable(directory_), kParts));
  for (RunDirectory& part : parts) {
    bytes += part.bytes();
    remove_part(part, say);
  }
  parts.clear();
  if (!current_.empty()) remove_folder(current_, run, say);
  remove_others(run, say);
  if (files_.remove(directory_) != 0)
    say(fmt::format("{}: some files do not belong to the run and are kept", printable(directory_)));
  return bytes;
}

}  // namespace spillway
