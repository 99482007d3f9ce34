#include "run/signals.h"

#include <array>
#include <csignal>

namespace spillway {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

volatile std::sig_atomic_t received_signal = 0;
std::array<struct sigaction, kSignals.size()> before;  // what was done about them

void remember(int signal) {
  if (received_signal != 0) {  // for the second time: now
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  received_signal = signal;
}

}  // namespace

Signals::Signals() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);  // a job in the background
  }
}

Signals::~Signals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
  received_signal = 0;
}

std::optional<Stop> Signals::received() {
  switch (received_signal) {
    case SIGINT: return Stop::interrupted;
    case SIGTERM: return Stop::terminated;
    default: return std::nullopt;
  }
}

}  // namespace spillway
