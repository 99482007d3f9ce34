#include "run/signals.h"

#include <csignal>

namespace spillway {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void remember(int signal) {
  if (received_signal != 0) {  // for the second time: now
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  received_signal = signal;
}

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

Signals::Signals() {
  received_signal = 0;
  for (const int signal : {SIGINT, SIGTERM}) install(signal, remember, SA_RESTART);
}

Signals::~Signals() {
  for (const int signal : {SIGINT, SIGTERM}) install(signal, SIG_DFL, 0);
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
