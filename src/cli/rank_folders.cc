#include "cli/rank_folders.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "check/redistribute.h"
#include "directory/run_directory.h"
#include "io/system_disk.h"

namespace spillway {
namespace {

constexpr const char* kParts = "parts";
constexpr std::string_view kRank = "rank-";
constexpr std::string_view kOf = "of-";
constexpr std::uint64_t kMostBytes = 100;

std::optional<unsigned> rank_in(const std::string& name) {
  unsigned rank = 0;
  if (!name.starts_with(kRank)) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kRank.size(), end, rank);
  if (error != std::errc() || stop != end) return std::nullopt;
  return rank;
}

// A folder that share_out() has made.
bool is_folder_name(std::string_view name) {
  return name.starts_with(kOf) && name.size() > kOf.size() &&
         name.find_first_not_of("0123456789-", kOf.size()) == std::string_view::npos;
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
    return std::make_unique<Journal>(*disk, row_words, memory_bytes, settings);
  }
};

using Journals = std::vector<std::unique_ptr<Journal>>;

}  // namespace

RankFolders::RankFolders(FileSystem& files, const std::string& directory)
    : files_(files), directory_(directory) {
  if (!files_.is_directory(directory_)) return;
  const std::optional<std::string> text =
      files_.open(directory_, FileSystem::Owner::anyone)->read(kParts, kMostBytes);
  if (!text) return;
  current_ = text->substr(0, text->find('\n'));
  if (!is_folder_name(current_) || !files_.is_directory(folder()))
    throw Error(Fault::integrity,
                fmt::format("{}/{}: names no folder of this run", printable(directory_), kParts));
}

std::string RankFolders::folder() const {
  return current_.empty() ? directory_ : directory_ + "/" + current_;
}

std::string RankFolders::part(unsigned rank) const {
  return fmt::format("{}/{}{}", folder(), kRank, rank);
}

std::string RankFolders::run_of(const std::string& part, bool alone) {
  const std::filesystem::path folder = std::filesystem::path(part).parent_path();
  std::error_code none;
  const bool shared_out = is_folder_name(folder.filename().string()) &&
                          std::filesystem::exists(folder.parent_path() / kParts, none);
  if (shared_out) return folder.parent_path().string();
  return alone ? part : folder.string();
}

unsigned RankFolders::ranks() const {
  unsigned ranks = 0;
  if (!files_.is_directory(folder())) return 0;
  for (const std::string& name : files_.open(folder(), FileSystem::Owner::anyone)->names())
    if (const std::optional<unsigned> rank = rank_in(name)) ranks = std::max(ranks, *rank + 1);
  return ranks;
}

void RankFolders::share_out(unsigned wanted, std::uint64_t memory_bytes) {
  std::vector<RankPart> before;
  for (unsigned rank = 0; rank < ranks(); ++rank)
    before.emplace_back(RunDirectory::open(files_, part(rank)));
  std::size_t words = 1;
  for (const RankPart& one : before) words = std::max(words, one.words);

  std::string name;
  for (unsigned attempt = 1; name.empty() || files_.is_directory(directory_ + "/" + name);
       ++attempt)
    name = fmt::format("{}{}-{}", kOf, wanted, attempt);
  const std::string made = directory_ + "/" + name;
  if (files_.make(made) != 0)
    throw Error(Fault::system, fmt::format("{}: cannot be created", printable(made)));
  const RunDirectory& first = before.front().directory;
  if (first.config().native())
    throw Error(Fault::usage,
                "a run of native code is resumed with as many ranks as it had before");
  std::vector<RankPart> after;
  for (unsigned rank = 0; rank < wanted; ++rank)
    after.emplace_back(RunDirectory::create(files_, fmt::format("{}/{}{}", made, kRank, rank),
                                            first.config(), first.model_path("")));
  {
    const std::uint64_t each = memory_bytes / (before.size() + after.size());
    Journals from;
    Journals to;
    for (RankPart& one : before)
      from.push_back(one.journal(one.words, each, static_cast<unsigned>(from.size()),
                                 static_cast<unsigned>(before.size())));
    for (RankPart& one : after)
      to.push_back(one.journal(words, each, static_cast<unsigned>(to.size()), wanted));
    Crew crew(1);
    redistribute(from, to, crew);
  }
  files_.sync_above(made);
  files_.open(directory_, FileSystem::Owner::anyone)->write(kParts, name + "\n");
  for (RankPart& one : before) one.disk.reset();
  for (RankPart& one : before) one.directory.remove();
  current_ = name;
  remove_others();
}

// Also what an earlier process was killed over.  Links are removed, not followed.
void RankFolders::remove_others() const {
  for (const std::string& name : files_.open(directory_, FileSystem::Owner::anyone)->names()) {
    if (name == current_ || (!rank_in(name) && !is_folder_name(name))) continue;
    std::error_code none;  // what is left takes room, and nothing else
    std::filesystem::remove_all(directory_ + "/" + name, none);
  }
}

}  // namespace spillway
