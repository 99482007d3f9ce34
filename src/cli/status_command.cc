#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "base/error.h"
#include "base/text/printable.h"
#include "check/durable/newest_checkpoint.h"
#include "check/durable/product_journal.h"
#include "cli/commands.h"
#include "cli/session/kept_run.h"
#include "cli/session/output.h"
#include "cli/session/rank_folders.h"
#include "io/data/system_disk.h"
#include "io/texts/system_file_system.h"
#include "report/status_of_ranks.h"

namespace spillway {
namespace {

// The result, or std::nullopt if it is damaged; the reason goes to `faults`.
std::optional<std::string> intact_result(const std::function<std::optional<std::string>()>& result,
                                         std::vector<std::string>& faults) {
  try {
    return result();
  } catch (const Error& error) {
    faults.emplace_back(error.what());
    return std::nullopt;
  }
}

// `at_most`: of its checkpoints.
RunStatus status_of(FileSystem& files, const std::string& path,
                    std::uint64_t at_most = kMostGenerations) {
  const RunDirectory directory = RunDirectory::look(files, path);
  RunStatus status;
  status.limits = kept_settings(directory).limits;
  status.directory = directory.path();
  status.model = directory.config().model;
  status.begun = directory.config().begun;
  if (const auto user = directory.user()) status.user = printable(*user);
  status.bytes = directory.bytes();
  status.native = directory.config().native();
  status.live = directory.live_status();
  status.read = std::time(nullptr);
  SystemDisk disk(kept_files(directory));
  status.faults = directory.place_faults();
  const NewestCheckpoint newest(disk, directory.mark().identity, true);
  if (!newest.fault().empty()) status.faults.push_back(newest.fault());
  const ManifestFiles manifests(disk, directory.mark());
  const auto missing = manifests.missing(newest.generation());
  // A process that is working may have made it a moment ago.
  if (missing && !status.user) status.faults.push_back(*missing);
  status.checkpoint = manifests.newest(status.faults, at_most);
  for (const std::size_t product : products_on(disk))
    if (auto found = newest_of_product(disk, product, directory.mark(), status.faults))
      status.products.push_back({product, *std::move(found)});
  if (!status.user)
    status.result = intact_result([&] { return directory.result(); }, status.faults);
  status.earlier_result = intact_result([&] { return directory.earlier_result(); }, status.faults);
  return status;
}

// A rank may have written its part of a checkpoint that others have not: it does not count yet.
RunStatus status_of_ranks(FileSystem& files, const std::string& path, const RankFolders& folders) {
  std::vector<RankPartStatus> parts;
  std::uint64_t common = kMostGenerations;
  for (unsigned rank = 0; rank < folders.ranks(); ++rank) {
    if (!files.is_directory(folders.part(rank))) continue;
    parts.push_back({rank, status_of(files, folders.part(rank))});
    if (const auto& checkpoint = parts.back().status.checkpoint)
      common = std::min(common, checkpoint->generation);
  }
  for (RankPartStatus& part : parts)
    if (part.status.checkpoint && part.status.checkpoint->generation > common)
      part.status = status_of(files, folders.part(part.rank), common);
  return status_of_ranks(path, std::move(parts));
}

}  // namespace

int run_status(const CommandSettings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no run directory given; try: spillway status DIR, or spillway status --help");
  SystemFileSystem files;
  const RankFolders folders(files, settings.subject);
  const RunStatus status = folders.ranks() == 0 ? status_of(files, settings.subject)
                                                : status_of_ranks(files, settings.subject, folders);
  if (settings.json_file.empty())
    say(stdout, status_text(status));
  else
    write_file(settings.json_file, status_json(status));
  return 0;
}

}  // namespace spillway
