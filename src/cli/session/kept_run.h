// Reads from a run directory which run it belongs to.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "directory/run_directory.h"
#include "io/data/system_disk.h"
#include "open/run_properties.h"

namespace spillway {

// What a run that begins with these settings records of them.
std::vector<std::string> recorded_arguments(const CommandSettings& settings,
                                            const RunProperties& runs);
// True if the run is of the check that these settings, of `check`, would begin: the same by its
// identity, with the same limits.  False if that cannot be known.
bool is_of_check(const RunConfig& run, const CommandSettings& settings);

// The settings that the run began with.  Throws Error(integrity) if the configuration has options
// that no run records.
CommandSettings kept_settings(const RunDirectory& directory);

// Where its files are, to be read.
SystemDisk::Options kept_files(const RunDirectory& directory);

}  // namespace spillway
