// Transfers by pread and pwrite in a few threads, for systems without io_uring.
#pragma once

#include "io/data/engine.h"

namespace spillway {

std::unique_ptr<Engine> make_posix_engine(std::string description);

}  // namespace spillway
