#include "net/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "base/error.h"

namespace spillway {
namespace {

constexpr unsigned kFirst = 0;       // the rank that gathers
constexpr int kReceivedAtOnce = 64;  // messages
// While nobody else wants the processor.  To wake up again takes longer than most ranks have to
// wait for each other in levels of some milliseconds.
constexpr std::chrono::milliseconds kBeforeSleep{1};
constexpr std::chrono::microseconds kSleep{50};
// A thread that gives way loses its turn, which lets it wait for long if others want to work (Linux
// 6.18 takes a whole slice for it).  Then it is better to sleep for a moment.
constexpr std::chrono::microseconds kLongYield{200};
constexpr std::chrono::milliseconds kBusyFor{100};
std::atomic<std::int64_t> busy_until{0};  // processors, by the steady clock

constexpr double kBeatsBeforeSilence = 10;
constexpr double kMostSecondsToPart = 5;

using Bytes = std::vector<std::byte>;

Bytes with_envelope(std::span<const std::byte> contents) {
  Bytes message(Envelope::kBytes + contents.size());
  std::ranges::copy(contents, message.begin() + Envelope::kBytes);
  return message;
}

void append_number(Bytes& to, std::uint64_t number) {
  const auto bytes = std::as_bytes(std::span(&number, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// One after the other, each after its length.
Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) {
    append_number(all, part.size());
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

// The opposite.
std::vector<Bytes> parted(std::span<const std::byte> all) {
  std::vector<Bytes> parts;
  while (!all.empty()) {
    std::uint64_t length = 0;
    SPILLWAY_CHECK(all.size() >= sizeof length);
    std::memcpy(&length, all.data(), sizeof length);
    all = all.subspan(sizeof length);
    SPILLWAY_CHECK(all.size() >= length);
    parts.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length));
    all = all.subspan(length);
  }
  return parts;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Peers::Peers(Transport& transport, const PeersSettings& settings)
    : transport_(transport), settings_(settings), heard_(transport.ranks(), Clock::now()) {}

Bytes Peers::sealed(Envelope::Kind kind, unsigned to, std::uint64_t round, Bytes message) const {
  seal(message, {kind, settings_.check, rank(), to, round});
  return message;
}

void Peers::send(unsigned to, Bytes sealed) {
  const std::lock_guard lock(mutex_);
  transport_.send(to, std::move(sealed));
}

Peers::Gathering& Peers::gathering(std::uint64_t round) {
  const auto [at, is_new] = gatherings_.try_emplace(round);
  if (is_new) {
    at->second.parts.resize(ranks());
    at->second.has.resize(ranks());
    at->second.missing = ranks();
  }
  return at->second;
}

// A rank is at most one round ahead, or has left one and gathers in the next epoch.
bool Peers::is_next(std::uint64_t round) const {
  return round >= round_ && (round <= round_ + 1 || round % kEpoch == 0);
}

void Peers::add_part(const Envelope& envelope, Bytes message) {
  if (envelope.round / kEpoch < round_ / kEpoch) return;  // of a round that was left
  const bool is_answer = envelope.kind == Envelope::Kind::gathered;
  Gathering& to = gathering(envelope.round);
  if (!is_next(envelope.round) || to.has[envelope.from] || is_answer == (rank() == kFirst) ||
      (is_answer && envelope.from != kFirst))
    throw Error(Fault::integrity,
                fmt::format("rank {} has sent a message that was not expected", envelope.from));
  to.has[envelope.from] = true;
  const auto inside = contents(message);
  if (is_answer) {
    to.all.assign(inside.begin(), inside.end());
    to.is_complete = true;
  } else {
    to.parts[envelope.from].assign(inside.begin(), inside.end());
    to.is_complete = --to.missing == 0;
  }
}

void Peers::dispatch(Transport::Message message) {
  const Envelope envelope = open(message.bytes, settings_.check, message.from, rank());
  heard_[message.from] = Clock::now();
  switch (envelope.kind) {
    case Envelope::Kind::gather:
    case Envelope::Kind::gathered: return add_part(envelope, std::move(message.bytes));
    case Envelope::Kind::beat: return;
    case Envelope::Kind::left:
      if (envelope.round >= round_) left_.insert(envelope.round);
      return;
    case Envelope::Kind::lost: throw Error(Fault::lost, text_of(contents(message.bytes)));
    case Envelope::Kind::parted: parted_.insert(message.from); return;
    case Envelope::Kind::batch:
    case Envelope::Kind::taken:
    case Envelope::Kind::end: break;
  }
  if (!take_)
    throw Error(Fault::integrity,
                fmt::format("rank {} has sent rows that nobody waits for", message.from));
  take_(envelope, std::move(message.bytes));
}

bool Peers::receive() {
  if (failed_) throw Error(*failed_);
  try {
    return receive_some();
  } catch (const Error& error) {
    fail(error);
    throw;
  }
}

void Peers::fail(const Error& error) {
  failed_ = error;
  if (error.fault() != Fault::lost) return;
  try {
    send_to_others(Envelope::Kind::lost, std::as_bytes(std::span(std::string_view(error.what()))));
  } catch (const Error&) {
    // The transport has told everybody.
  }
}

void Peers::send_to_others(Envelope::Kind kind, std::span<const std::byte> inside) {
  for (unsigned to = 0; to < ranks(); ++to)
    if (to != rank()) transport_.send(to, sealed(kind, to, round_, with_envelope(inside)));
}

bool Peers::receive_some() {
  beat();
  bool any = false;
  for (int i = 0; i < kReceivedAtOnce; ++i) {
    std::optional<Transport::Message> message = transport_.receive();
    if (!message) break;
    dispatch(std::move(*message));
    any = true;
  }
  return any;
}

void Peers::beat() {
  const Clock::time_point now = Clock::now();
  if (seconds(now - beaten_) < settings_.silent_seconds / kBeatsBeforeSilence) return;
  beaten_ = now;
  send_to_others(Envelope::Kind::beat, {});
}

bool Peers::pump() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() && receive();
}

void Peers::pump_until(const std::function<bool()>& is_done) {
  Patience patience(*this);
  while (!is_done())
    if (pump())
      patience.renew();
    else
      patience.wait();
}

void Peers::Patience::wait() {
  peers_.expect_life(begun_);
  const Clock::time_point before = Clock::now();
  if (before - idle_since_ < kBeforeSleep &&
      before.time_since_epoch().count() >= busy_until.load()) {
    std::this_thread::yield();
    const Clock::time_point now = Clock::now();
    if (now - before > kLongYield) busy_until = (now + kBusyFor).time_since_epoch().count();
  } else {
    std::this_thread::sleep_for(kSleep);
  }
  peers_.waited_nanoseconds_ +=
      static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - before).count());
}

void Peers::expect_life(Clock::time_point begun) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  // Who was stopped, perhaps with all other ranks of this machine, has heard nobody meanwhile.
  if (seconds(now - looked_) > settings_.silent_seconds / kBeatsBeforeSilence) awake_since_ = now;
  looked_ = now;
  const Clock::time_point since = std::max(begun, awake_since_);
  for (unsigned of = 0; of < ranks() && !failed_; ++of)
    if (of != rank() && seconds(now - std::max(heard_[of], since)) > settings_.silent_seconds)
      fail(Error(Fault::lost, fmt::format("rank {} has been silent for {} seconds", of,
                                          settings_.silent_seconds)));
  if (failed_) throw Error(*failed_);
}

bool Peers::is_left() {
  const std::lock_guard lock(mutex_);
  return is_left_now();
}

void Peers::leave() {
  const std::lock_guard lock(mutex_);
  send_to_others(Envelope::Kind::left, {});
  round_ = (round_ / kEpoch + 1) * kEpoch;
  gatherings_.erase(gatherings_.begin(), gatherings_.lower_bound(round_));
  left_.erase(left_.begin(), left_.lower_bound(round_));
}

std::vector<Bytes> Peers::gather(std::span<const std::byte> own) {
  const std::uint64_t round = round_;
  if (rank() == kFirst) {
    const std::lock_guard lock(mutex_);
    Gathering& here = gathering(round);
    here.parts[kFirst].assign(own.begin(), own.end());
    here.is_complete = --here.missing == 0;
  } else {
    send(kFirst, sealed(Envelope::Kind::gather, kFirst, round, with_envelope(own)));
  }
  pump_until([&] {
    const std::lock_guard lock(mutex_);
    if (is_left_now()) throw Left{};
    return gathering(round).is_complete;
  });
  const std::lock_guard lock(mutex_);
  Gathering here = std::move(gathering(round));
  gatherings_.erase(round);
  ++round_;
  if (rank() != kFirst) return parted(here.all);
  const Bytes all = joined(here.parts);
  for (unsigned to = 1; to < ranks(); ++to)
    transport_.send(to, sealed(Envelope::Kind::gathered, to, round, with_envelope(all)));
  return here.parts;
}

void Peers::end() {
  const std::lock_guard lock(mutex_);
  if (!failed_ || failed_->fault() != Fault::lost) return transport_.end();
  const Clock::time_point begun = Clock::now();
  const double most = std::min(kMostSecondsToPart, settings_.silent_seconds);
  try {
    send_to_others(Envelope::Kind::parted, {});
    // All but this one and the one that is lost.
    while (parted_.size() + 2 < ranks() && seconds(Clock::now() - begun) < most) {
      const std::optional<Transport::Message> message = transport_.receive();
      if (!message)
        std::this_thread::sleep_for(kSleep);
      else if (has_parted(*message))
        parted_.insert(message->from);
    }
  } catch (const Error&) {
    // A rank that waits no longer has gone.
  }
}

bool Peers::has_parted(const Transport::Message& message) const {
  const Envelope envelope = open(message.bytes, settings_.check, message.from, rank());
  return envelope.kind == Envelope::Kind::parted;
}

void Peers::add_up(std::span<std::uint64_t> numbers) {
  const std::vector<Bytes> all = gather(std::as_bytes(numbers));
  std::ranges::fill(numbers, 0);
  for (const Bytes& part : all) {
    if (part.size() != numbers.size_bytes())
      throw Error(Fault::integrity, "the ranks do not add up the same numbers");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::uint64_t number = 0;
      std::memcpy(&number, part.data() + i * sizeof number, sizeof number);
      numbers[i] += number;
    }
  }
}

}  // namespace spillway
