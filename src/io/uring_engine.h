// Transfers by io_uring.
//
// Each thread has a ring, or shares one where there are many threads; whoever waits for a transfer waits at the ring
// it was begun in.  There is no thread for completions: of those who wait at a ring, one takes them from it for all,
// and hands that over when its own transfer has finished.
#pragma once

#include "io/engine.h"

namespace spillway {

// Nothing, and why, where the kernel refuses: containers often forbid it.
std::unique_ptr<Engine> make_uring_engine(std::string& refusal);

}  // namespace spillway
