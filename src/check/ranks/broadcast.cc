#include "check/ranks/broadcast.h"

#include <optional>
#include <utility>

#include "net/message_buffers.h"

namespace spillway {

void Broadcast::begin(unsigned threads) {
  threads_ = threads;
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

// If it fails, the other threads must not wait for what this one has not taken.
template <class Work>
void Broadcast::carry_out(Work work) {
  try {
    work();
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void Broadcast::send_to(unsigned thread, unsigned to, std::vector<std::byte> batch,
                        const Receive& receive) {
  carry_out([&] {
    Peers::Patience patience(cluster_.peers());
    while (!cluster_.exchange().send(to, batch)) take_or_wait(thread, receive, patience);
  });
}

void Broadcast::finish(unsigned thread, const Receive& receive) {
  carry_out([&] {
    if (++finished_ == threads_) cluster_.exchange().end();
    Peers::Patience patience(cluster_.peers());
    while (!failed_ && !cluster_.exchange().is_over()) take_or_wait(thread, receive, patience);
  });
}

bool Broadcast::take(const Receive& receive) {
  std::optional<Exchange::Batch> batch = cluster_.exchange().take();
  if (!batch) return false;
  carry_out([&] { receive(batch->from, batch->bytes()); });
  message_buffers().give(std::move(batch->message));
  return true;
}

void Broadcast::take_or_wait(unsigned thread, const Receive& receive, Peers::Patience& patience) {
  if (take(receive)) return patience.renew();
  poll_(thread);
  patience.wait();
}

}  // namespace spillway
