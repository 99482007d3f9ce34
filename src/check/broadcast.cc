#include "check/broadcast.h"

#include <optional>
#include <utility>

namespace spillway {

void Broadcast::begin() {
  finished_ = 0;
  failed_ = false;
  cluster_.exchange().begin();
}

void Broadcast::send(unsigned thread, const std::vector<std::byte>& batch, const Receive& receive) {
  for (unsigned to = 0; to < cluster_.ranks(); ++to) {
    if (to == cluster_.rank()) continue;
    send_to(thread, to, batch, receive);
  }
}

void Broadcast::send_to(unsigned thread, unsigned to, std::vector<std::byte> batch,
                        const Receive& receive) {
  try {
    Peers::Patience patience(cluster_.peers());
    while (!cluster_.exchange().send(to, batch))
      if (take(receive))
        patience.renew();
      else
        wait(thread, patience);
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void Broadcast::finish(unsigned thread, const Receive& receive) {
  try {
    if (++finished_ == threads_) cluster_.exchange().end();
    Peers::Patience patience(cluster_.peers());
    while (!failed_ && !cluster_.exchange().is_over())
      if (take(receive))
        patience.renew();
      else
        wait(thread, patience);
  } catch (...) {
    failed_ = true;  // the others must not wait for what this thread has not taken
    throw;
  }
}

// False: nothing has arrived.
bool Broadcast::take(const Receive& receive) {
  const std::optional<Exchange::Batch> batch = cluster_.exchange().take();
  if (!batch) return false;
  receive(batch->from, batch->bytes());
  return true;
}

void Broadcast::wait(unsigned thread, Peers::Patience& patience) {
  lookout_.look_up(thread);
  patience.wait();
}

}  // namespace spillway
