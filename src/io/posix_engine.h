// Transfers by pread and pwrite in a few threads: where io_uring is not to be had.
#pragma once

#include "io/engine.h"

namespace spillway {

std::unique_ptr<Engine> make_posix_engine(std::string description);

}  // namespace spillway
