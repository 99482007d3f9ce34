// Transfers by io_uring.
//
// Each thread has a ring of its own, up to a fixed number of rings; beyond that, threads share.  A
// transfer is awaited at the ring it was submitted to.  There is no completion thread: one of the
// threads waiting at a ring reaps completions for all of them, and another takes over when its own
// transfer has finished.
#pragma once

#include "io/data/engine.h"

namespace spillway {

// nullptr if the kernel refuses, with the reason in `refusal`: containers often forbid io_uring.
std::unique_ptr<Engine> make_uring_engine(std::string& refusal);

}  // namespace spillway
