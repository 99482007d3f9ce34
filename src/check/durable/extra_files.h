// Files beside the log of levels: what was made of all states of a complete search, and is
// expensive to make again.
//
// A file is a stream of bytes in blocks with checksums (storage/blocks).  It never changes once a
// checkpoint refers to it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/memory/budget.h"
#include "check/durable/manifest.h"
#include "check/session/checkpoints.h"
#include "io/data/disk.h"

namespace spillway {

// Writes what fill() puts into a new file, durably.  Draws four blocks from the budget.  Throws
// errors of the disk, and what fill() throws; nothing of the file is left then.
Manifest::Extra write_extra(Disk& disk, Budget& budget, const LevelLog::Form& form,
                            const std::string& what, std::uint64_t file,
                            const std::function<void(const PutBytes&)>& fill);
// Reads it back.  Throws Error(integrity), errors of the disk, and what use() throws.
void read_extra(Disk& disk, Budget& budget, const LevelLog::Form& form,
                const Manifest::Extra& extra, const std::function<void(const GetBytes&)>& use);

}  // namespace spillway
