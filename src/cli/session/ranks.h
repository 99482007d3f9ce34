// This process as one of several ranks, which mpirun or srun has started.
#pragma once

#include <memory>

#include "check/ranks/cluster.h"
#include "cli/options/options.h"
#include "directory/run_directory.h"
#include "io/texts/file_system.h"
#include "net/transport.h"

namespace spillway {

class Ranks {
 public:
  // Joins the others, if there are any.  `commit`: of the program.  Throws Error(system) if they
  // cannot be reached.
  explicit Ranks(std::string_view commit);

  // What this rank is to do: rank 0 reports for all, and memory and processors of a machine are
  // divided among the ranks on it, unless the user has said how much each of them may take.
  CommandSettings settings_for(const CommandSettings& given) const;
  // Opens the part of this rank of a run directory, which is shared out anew if it had another
  // number of ranks before (cli/session/rank_folders.h).  Throws Error, and Error(integrity) on all
  // ranks if their parts are not of one run.
  RunDirectory open_part(FileSystem& files, const std::string& directory,
                         std::uint64_t memory_bytes) const;
  Cluster& cluster() { return *cluster_; }

  // Waits for the others, when all is done, unless one is lost.  A rank that ends without this call
  // is lost to them.
  void end();

 private:
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Cluster> joined_;
  Cluster* cluster_ = &Cluster::alone();
};

}  // namespace spillway
