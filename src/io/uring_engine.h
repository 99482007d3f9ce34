// Transfers by io_uring.
//
// All threads share one ring.  There is no thread for completions: of those who wait, one takes them from
// the ring for all, and hands that over when its own transfer has finished.
#pragma once

#include "io/engine.h"

namespace spillway {

// Nothing, and why, where the kernel refuses: containers often forbid it.
std::unique_ptr<Engine> make_uring_engine(std::string& refusal);

}  // namespace spillway
