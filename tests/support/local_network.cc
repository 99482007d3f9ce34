#include "support/local_network.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace spillway {

class LocalNetwork::End final : public Transport {
 public:
  End(LocalNetwork& network, unsigned rank) : network_(network), rank_(rank) {}
  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return static_cast<unsigned>(network_.boxes_.size()); }
  void send(unsigned to, std::vector<std::byte> bytes) override {
    network_.send(rank_, to, std::move(bytes));
  }
  std::optional<Message> receive() override { return network_.receive(rank_); }

 private:
  LocalNetwork& network_;
  const unsigned rank_;
};

LocalNetwork::LocalNetwork(unsigned ranks, const LocalNetworkSettings& settings)
    : settings_(settings), boxes_(ranks), silent_(ranks) {
  for (unsigned i = 0; i < ranks; ++i) {
    boxes_[i].random.seed(settings.disorder + i);
    ends_.push_back(std::make_unique<End>(*this, i));
  }
}

LocalNetwork::~LocalNetwork() = default;

Transport& LocalNetwork::of(unsigned rank) { return *ends_[rank]; }

void LocalNetwork::lose(unsigned rank) {
  const std::lock_guard lock(mutex_);
  lost_ = rank;
}

void LocalNetwork::silence(unsigned rank) {
  const std::lock_guard lock(mutex_);
  silent_[rank] = true;
}

void LocalNetwork::damage_next() {
  const std::lock_guard lock(mutex_);
  damage_ = true;
}

void LocalNetwork::repeat_next() {
  const std::lock_guard lock(mutex_);
  repeat_ = true;
}

void LocalNetwork::drop_next() {
  const std::lock_guard lock(mutex_);
  drop_ = true;
}

std::uint64_t LocalNetwork::bytes_sent() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void LocalNetwork::stop_if_lost() const {
  if (lost_) throw Error(Fault::lost, fmt::format("rank {} is lost", *lost_));
}

void LocalNetwork::send(unsigned from, unsigned to, std::vector<std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  stop_if_lost();
  SPILLWAY_CHECK(from != to && to < boxes_.size());
  if (++sent_ == settings_.lose_at) lost_ = from;
  stop_if_lost();
  if (silent_[from] || silent_[to] || std::exchange(drop_, false)) return;
  bytes_ += bytes.size();
  if (std::exchange(damage_, false)) bytes[bytes.size() / 2] ^= std::byte{4};
  if (std::exchange(repeat_, false)) boxes_[to].messages.push_back({from, bytes});
  boxes_[to].messages.push_back({from, std::move(bytes)});
}

std::optional<Transport::Message> LocalNetwork::receive(unsigned rank) {
  const std::lock_guard lock(mutex_);
  stop_if_lost();
  Box& box = boxes_[rank];
  if (box.messages.empty() || silent_[rank]) return std::nullopt;
  std::size_t taken = 0;
  if (settings_.disorder != 0) {
    if (box.random() % 4 == 0) return std::nullopt;
    taken = box.random() % box.messages.size();
  }
  Transport::Message message = std::move(box.messages[taken]);
  box.messages.erase(box.messages.begin() + static_cast<std::ptrdiff_t>(taken));
  return message;
}

}  // namespace spillway
