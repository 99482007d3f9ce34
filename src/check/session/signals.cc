#include "check/session/signals.h"

#include <semaphore.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>

namespace spillway {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
constexpr std::int64_t kNanoseconds = 1000000000;
constexpr std::int64_t kRepetition = kNanoseconds;  // what comes within it is the same signal again

std::array<struct sigaction, kSignals.size()> before;  // what was done about them
std::atomic<std::int64_t> first_time{0};  // of the signal that requested a stop; 0: none has come
std::atomic<bool> status{false};
static_assert(std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

sem_t& bell() {
  static sem_t semaphore = [] {
    sem_t made{};
    sem_init(&made, 0, 0);
    return made;
  }();
  return semaphore;
}

std::int64_t now() {
  struct timespec time {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kNanoseconds + time.tv_nsec;
}

void take_stop(int signal) {
  std::int64_t none = 0;
  const std::int64_t time = now();
  if (first_time.compare_exchange_strong(none, time)) {
    stop_request::note(signal == SIGINT ? StopReason::interrupted : StopReason::terminated);
  } else if (time - none > kRepetition) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

void take(int signal, siginfo_t* /*from*/, void* /*context*/) {
  const int error = errno;
  if (signal == SIGUSR1)
    status.store(true);
  else
    take_stop(signal);
  sem_post(&bell());
  errno = error;
}

}  // namespace

Signals::Signals() {
  bell();
  first_time.store(0);
  status.store(false);
  stop_request::withdraw();
  struct sigaction action {};
  action.sa_sigaction = take;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
  stop_request::withdraw();
}

bool Signals::status_wanted() { return status.exchange(false); }

void Signals::wait(double seconds) {
  constexpr double kLongest = 1e6;
  const std::int64_t end =
      now() + static_cast<std::int64_t>(std::clamp(seconds, 0.0, kLongest) * kNanoseconds);
  const struct timespec until { end / kNanoseconds, end % kNanoseconds };
  while (sem_clockwait(&bell(), CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) continue;
}

void Signals::wake() { sem_post(&bell()); }

std::optional<Stop> stop_of(StopReason reason) {
  switch (reason) {
    case StopReason::time: return Stop::time;
    case StopReason::interrupted: return Stop::interrupted;
    case StopReason::terminated: return Stop::terminated;
    case StopReason::none: break;
  }
  return std::nullopt;
}

std::optional<Stop> requested_stop() { return stop_of(stop_request::why()); }

}  // namespace spillway
