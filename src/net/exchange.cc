#include "net/exchange.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {
namespace {

// Before the bytes of a batch: its number among those from one rank to another, and their hash.
struct Head {
  std::uint64_t number;
  std::uint64_t hash;
};
static_assert(sizeof(Head) == Exchange::kHeadBytes && sizeof(Head) == Envelope::kHashedOfBatch);

std::uint64_t hash_of(std::uint64_t number, std::span<const std::byte> bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), number);
}

template <class Value>
Value read(std::span<const std::byte> bytes, unsigned from) {
  Value value;
  if (bytes.size() < sizeof value)
    throw Error(Fault::integrity, fmt::format("a message from rank {} is too short", from));
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

Exchange::Exchange(Peers& peers, const ExchangeSettings& settings)
    : peers_(peers), settings_(settings), of_(peers.ranks()) {
  peers_.set_taker([this](const Envelope& envelope, std::vector<std::byte> message) {
    arrive(envelope, std::move(message));
  });
}

Exchange::~Exchange() { peers_.set_taker(nullptr); }

void Exchange::refuse(unsigned from) {
  throw Error(Fault::integrity,
              fmt::format("what arrived from rank {} is not what it has sent", from));
}

void Exchange::begin() {
  SPILLWAY_CHECK(round_ == 0 || abandoned_ || is_over());
  const std::lock_guard lock(mutex_);
  ++round_;
  ended_ = abandoned_ = false;
  of_.assign(peers_.ranks(), {});
  for (Early& early : std::exchange(early_, {})) sort_in(early.envelope, std::move(early.message));
}

void Exchange::abandon() {
  const std::lock_guard lock(mutex_);
  round_ = (round_ / Peers::kEpoch + 1) * Peers::kEpoch;
  ended_ = abandoned_ = true;
  arrived_.clear();
}

bool Exchange::send(unsigned to, std::vector<std::byte>& message) {
  Head head{};
  std::uint64_t round = 0;
  {
    const std::lock_guard lock(mutex_);
    Peer& peer = of_[to];
    SPILLWAY_CHECK(!ended_ && to != peers_.rank());
    if (peer.sent.batches - peer.taken_there >= settings_.on_the_way) return false;
    head.number = peer.sent.batches++;
    round = round_;
  }
  head.hash = hash_of(head.number, std::span(message).subspan(kRoomBefore));
  std::memcpy(message.data() + Envelope::kBytes, &head, sizeof head);
  {
    const std::lock_guard lock(mutex_);
    of_[to].sent.hashes += head.hash;
  }
  all_bytes_ += message.size();
  peers_.send(to, peers_.sealed(Envelope::Kind::batch, to, round, std::move(message)));
  return true;
}

std::optional<Exchange::Batch> Exchange::take() {
  peers_.pump();
  Batch batch;
  std::uint64_t round = 0;
  {
    const std::lock_guard lock(mutex_);
    if (arrived_.empty()) return std::nullopt;
    batch = std::move(arrived_.front());
    arrived_.pop_front();
    round = round_;
  }
  received_bytes_ += batch.message.size();
  const Head head = read<Head>(contents(batch.message), batch.from);
  if (head.hash != hash_of(head.number, batch.bytes())) refuse(batch.from);
  {
    const std::lock_guard lock(mutex_);
    Sum& taken = of_[batch.from].taken;
    ++taken.batches;
    taken.hashes += head.hash;
  }
  peers_.send(batch.from, peers_.sealed(Envelope::Kind::taken, batch.from, round,
                                        std::vector<std::byte>(Envelope::kBytes)));
  return batch;
}

void Exchange::end() {
  std::vector<Sum> sums;
  std::uint64_t round = 0;
  {
    const std::lock_guard lock(mutex_);  // not while sending: what arrives needs it
    ended_ = true;
    round = round_;
    for (const Peer& peer : of_) sums.push_back(peer.sent);
  }
  for (unsigned to = 0; to < peers_.ranks(); ++to) {
    if (to == peers_.rank()) continue;
    std::vector<std::byte> message(Envelope::kBytes + sizeof(Sum));
    std::memcpy(message.data() + Envelope::kBytes, &sums[to], sizeof(Sum));
    peers_.send(to, peers_.sealed(Envelope::Kind::end, to, round, std::move(message)));
  }
}

bool Exchange::is_over() {
  const std::lock_guard lock(mutex_);
  if (!ended_) return false;
  for (unsigned of = 0; of < peers_.ranks(); ++of) {
    const Peer& peer = of_[of];
    if (of == peers_.rank()) continue;
    if (!peer.announced || peer.taken.batches < peer.announced->batches ||
        peer.taken_there < peer.sent.batches)
      return false;
    if (peer.taken != *peer.announced) refuse(of);
  }
  return true;
}

void Exchange::arrive(const Envelope& envelope, std::vector<std::byte> message) {
  const std::lock_guard lock(mutex_);
  sort_in(envelope, std::move(message));
}

// A rank is at most one round ahead, or is in the first one after others were abandoned.
void Exchange::sort_in(const Envelope& envelope, std::vector<std::byte> message) {
  if (envelope.round / Peers::kEpoch < round_ / Peers::kEpoch) return;  // abandoned
  if (envelope.round == round_ && !abandoned_) return arrive_now(envelope, std::move(message));
  if (envelope.round != round_ + 1 && envelope.round % Peers::kEpoch != 1) refuse(envelope.from);
  early_.push_back({envelope, std::move(message)});
}

void Exchange::arrive_now(const Envelope& envelope, std::vector<std::byte> message) {
  Peer& peer = of_[envelope.from];
  switch (envelope.kind) {
    case Envelope::Kind::batch:
      if (++peer.received - peer.taken.batches > settings_.on_the_way) refuse(envelope.from);
      return arrived_.push_back({envelope.from, std::move(message)});
    case Envelope::Kind::taken:
      if (++peer.taken_there > peer.sent.batches) refuse(envelope.from);
      return;
    default:
      if (peer.announced) refuse(envelope.from);
      peer.announced = read<Sum>(contents(message), envelope.from);
  }
}

}  // namespace spillway
