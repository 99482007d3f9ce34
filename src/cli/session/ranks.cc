#include "cli/session/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/process/machine.h"
#include "base/text/printable.h"
#include "cli/options/memory.h"
#include "cli/session/output.h"
#include "cli/session/rank_folders.h"
#include "net/load_transport.h"

namespace spillway {
namespace {

// Open MPI, MPICH, Slurm: how many ranks there are on this machine.
unsigned ranks_on_this_machine() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE",
                           "SLURM_TASKS_PER_NODE"})
    if (const char* value = std::getenv(name))
      if (const int ranks = std::atoi(value); ranks > 0) return static_cast<unsigned>(ranks);
  return 1;
}

}  // namespace

Ranks::Ranks(std::string_view commit) : transport_(load_transport(commit)) {
  if (transport_ == nullptr) return;
  joined_ = std::make_unique<Cluster>(*transport_, ClusterSettings{});
  cluster_ = joined_.get();
  if (transport_->rank() != 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw Error(Fault::system, "/dev/null: cannot be opened");
}

CommandSettings Ranks::settings_for(const CommandSettings& given) const {
  CommandSettings settings = given;
  if (transport_ == nullptr) return settings;
  const unsigned here = ranks_on_this_machine();
  if (settings.threads == 0) settings.threads = std::max(1U, allowed_processors() / here);
  if (!settings.memory_bytes) settings.memory_bytes = memory_bytes(settings) / here;
  if (cluster_->rank() != 0) {
    settings.quiet = true;
    settings.json_file.clear();
    settings.events_file.clear();
    settings.report_file.clear();
  }
  if (!settings.run_dir) settings.run_dir = "";
  return settings;
}

RunDirectory Ranks::open_part(FileSystem& files, const std::string& directory,
                              std::uint64_t memory_bytes) const {
  RankFolders folders(files, directory);
  const unsigned seen = folders.ranks();
  if (cluster_->ranks() == 1 && seen == 0) return RunDirectory::open(files, directory);
  const auto before = static_cast<unsigned>(cluster_->most(seen));  // not every machine has all
  const unsigned now = cluster_->ranks();
  if (before == 0)
    throw Error(Fault::usage,
                fmt::format("{}: this is no run of several ranks; resume it without mpirun",
                            printable(directory)));
  if (before != now)
    cluster_->let_first([&] { folders.share_out(now, memory_bytes, say_sentence); });
  RunDirectory part =
      RunDirectory::open(files, RankFolders(files, directory).part(cluster_->rank()));
  const std::string claim = part_claim(part);
  try {
    need_one_run(directory, cluster_->told(claim));
  } catch (const Error& error) {
    if (error.fault() != Fault::lost) cluster_->refuse(error);
    throw;
  }
  return part;
}

void Ranks::end() { cluster_->end(); }

}  // namespace spillway
