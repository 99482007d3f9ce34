#include "check/session/lookout.h"

#include <utility>

#include "check/session/signals.h"

namespace spillway {

Lookout::Lookout(Options options, std::function<Progress()> progress)
    : options_(std::move(options)), progress_(std::move(progress)) {}

void Lookout::look_up(unsigned worker) {
  if (options_.stop->made()) finish_as_requested();
  if (options_.is_left && options_.is_left()) finish({});
  const double now = seconds();
  if (now > options_.timeout_seconds) finish(Stop::time);
  if (worker == 0 && options_.observer && now - observed_ >= options_.observe_seconds) {
    observed_ = now;
    options_.observer(progress_());
  }
}

double Lookout::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Lookout::finish(std::optional<Stop> why) {
  if (why) note_stop(*why);
  throw Finished{};
}

// A model polls the request of the process, whichever the token is.
void Lookout::finish_as_requested() {
  const std::optional<Stop> why = stop_of(options_.stop->why());
  finish(why ? why : requested_stop());
}

void Lookout::note_stop(Stop why) {
  const std::lock_guard lock(mutex_);
  if (!stop_) stop_ = why;
}

std::optional<Stop> Lookout::stop() const {
  const std::lock_guard lock(mutex_);
  return stop_;
}

void Lookout::announce(const std::string& sentence) const {
  if (options_.announcer) options_.announcer(sentence);
}

void Lookout::observe(const Progress& progress) const {
  if (options_.observer) options_.observer(progress);
}

}  // namespace spillway
