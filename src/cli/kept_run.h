// What a run directory says about the run that it is of.
#pragma once

#include <string>

#include "cli/options.h"
#include "directory/run_directory.h"
#include "io/system_disk.h"

namespace spillway {

// The settings that the run began with.  Throws Error(integrity) if the configuration has options
// that no run records.
Settings kept_settings(const RunDirectory& directory);

// Where its files are, to be read.
SystemDisk::Options kept_files(const RunDirectory& directory);

}  // namespace spillway
