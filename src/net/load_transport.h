// Finds out whether this process is one of several ranks, and loads the transport between them.
//
// mpirun and srun start the same command as many processes.  What they leave in the environment
// says so; nothing on the command line does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/transport.h"

namespace spillway {

// The value of a variable of the environment, or null.
using Environment = std::function<const char*(const char* name)>;

// How many ranks there are, if there are several: from Open MPI's mpirun (OMPI_COMM_WORLD_SIZE),
// MPICH's and srun --mpi=pmi2 (PMI_SIZE), and srun --mpi=pmix (PMIX_RANK, with SLURM_STEP_NUM_TASKS
// or SLURM_NTASKS).  SPILLWAY_MPI=off: each process is alone.
std::optional<unsigned> launched_ranks(const Environment& environment);

// Where the plug-in may be, best first: SPILLWAY_MPI, or beside the program and in the directory of
// libraries where it is installed.
std::vector<std::string> plugin_places(const Environment& environment);

// What program and plug-in have in common if they were built together.
std::string transport_build(std::string_view commit);

// The transport to the other ranks, or null if this process is alone.  Throws Error(system), which
// says what to install, if there are others and no way to reach them.
std::unique_ptr<Transport> load_transport(std::string_view commit);

}  // namespace spillway
