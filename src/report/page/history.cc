#include "report/page/history.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace spillway {
namespace {

std::uint64_t number_in(const nlohmann::json& event, const char* name) {
  const auto found = event.find(name);
  const bool there = found != event.end() && found->is_number_unsigned();
  return there ? found->get<std::uint64_t>() : 0;
}

}  // namespace

void History::note(const ProgressFigures& figures) {
  const std::lock_guard lock(mutex_);
  add(figures);
}

void History::note_look(const ProgressFigures& figures) {
  const std::lock_guard lock(mutex_);
  const double now = figures.progress.seconds;
  if (now > looked_) {
    phases_[static_cast<std::size_t>(figures.progress.phase)] += now - looked_;
    looked_ = now;
  }
  add(figures);
}

void History::add(const ProgressFigures& figures) {
  const Progress& progress = figures.progress;
  if (!moments_.empty() && progress.seconds < moments_.back().seconds + apart_) return;
  moments_.push_back({progress.seconds, progress.level, progress.states, figures.memory_bytes,
                      figures.disk ? figures.disk->used_bytes : 0});
  if (moments_.size() <= kMostMoments) return;
  for (std::size_t i = 0; 2 * i < moments_.size(); ++i) moments_[i] = moments_[2 * i];
  moments_.resize((moments_.size() + 1) / 2);
  apart_ *= 2;
}

void History::add_to(ReportExtras& extras) const {
  const std::lock_guard lock(mutex_);
  extras.moments = moments_;
  extras.phases = phases_;
}

std::vector<Moment> moments_of_events(const std::string& text) {
  std::vector<Moment> moments;
  std::istringstream lines(text);
  double before = 0;  // seconds of the processes that were resumed
  double last = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > 4096) continue;  // no event of a level is as long
    const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || !event.contains("event")) continue;
    if (event["event"] == "start") before = last;
    if (event["event"] != "level" || !event.contains("seconds") || !event["seconds"].is_number())
      continue;
    last = before + event["seconds"].get<double>();
    moments.push_back({last, number_in(event, "level"), number_in(event, "states"),
                       number_in(event, "memory_bytes"), number_in(event, "disk_bytes")});
  }
  return moments;
}

}  // namespace spillway
