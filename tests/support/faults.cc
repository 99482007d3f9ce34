#include "support/faults.h"

#include <cerrno>
#include <csignal>

namespace spillway {

bool Faults::strikes() {
  const std::uint64_t number = next_++;
  const bool now = number == plan_.at || (plan_.from_then_on && number > plan_.at);
  if (now) struck_ = true;
  if (now && plan_.trouble == Trouble::death) std::raise(SIGKILL);
  return now;
}

int Faults::refusal(bool takes_space) {
  if (full_ && takes_space) return ENOSPC;
  if (!strikes()) return 0;
  switch (plan_.trouble) {
    case Trouble::io_error: return EIO;
    case Trouble::interrupted: return EINTR;
    case Trouble::no_space: return takes_space ? ENOSPC : 0;
    default: return 0;
  }
}

}  // namespace spillway
