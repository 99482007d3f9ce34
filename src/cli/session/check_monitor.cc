#include "cli/session/check_monitor.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include <chrono>
#include <ctime>
#include <set>

#include "base/error.h"
#include "base/process/machine.h"
#include "check/session/session.h"

namespace spillway {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{500};

// Free space on the file systems of these directories; std::nullopt if nobody can tell.
std::optional<std::uint64_t> free_bytes(const std::vector<std::string>& places) {
  std::uint64_t all = 0;
  std::set<dev_t> devices;
  for (const std::string& place : places) {
    struct stat status {};
    struct statvfs space {};
    if (stat(place.c_str(), &status) != 0 || statvfs(place.c_str(), &space) != 0)
      return std::nullopt;
    if (devices.insert(status.st_dev).second)
      all += static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  }
  return devices.empty() ? std::nullopt : std::optional(all);
}

}  // namespace

Gauges::Gauges(const Limits& limits, std::uint64_t memory_limit_bytes) {
  known_.limits = limits;
  known_.memory_limit_bytes = memory_limit_bytes;
}

ProgressFigures Gauges::figures(const Progress& progress) const {
  const std::lock_guard lock(mutex_);
  ProgressFigures all = known_;
  all.progress = progress;
  all.recent_rate = rate_.per_second();
  all.memory_bytes = resident_bytes();
  all.ranks = cluster_->figures();
  all.rank = cluster_->rank();
  all.forecast = forecast(levels_, all);
  return all;
}

void Gauges::sample(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  rate_.add(progress.seconds, expanded_states(progress));
  if (!progress.level_done) return;
  levels_.set(progress.level, progress.level_states);
  levels_.set(progress.level + 1, progress.next_states);
}

void Gauges::know_levels(const std::vector<Level>& levels, std::uint64_t next_states) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < levels.size(); ++i) levels_.set(i, levels[i].states);
  levels_.set(levels.size(), next_states);
}

void Gauges::know_ranks(Cluster& cluster) {
  const std::lock_guard lock(mutex_);
  cluster_ = &cluster;
}

void Gauges::set_disk(const DiskFigures& disk) {
  const std::lock_guard lock(mutex_);
  known_.disk = disk;
}

CheckMonitor::CheckMonitor(Watch& watch, Gauges& gauges, Duties duties)
    : watch_(watch), gauges_(gauges), duties_(std::move(duties)) {
  thread_ = std::thread([this] { look_on(); });
}

CheckMonitor::~CheckMonitor() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  end_.notify_all();
  thread_.join();
}

void CheckMonitor::look_on() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, kBetweenLooks, [this] { return ending_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
}

void CheckMonitor::look() {
  std::optional<Progress> progress;
  watch_.with_session([&](const Session* session) {
    if (session != nullptr) progress = session->levels.progress();
  });
  if (!progress) return;
  measure_disk();
  gauges_.sample(*progress);
  const ProgressFigures figures = gauges_.figures(*progress);
  if (duties_.history != nullptr) duties_.history->note_look(figures);
  if (duties_.line != nullptr) {
    duties_.line->show(figures);
    if (duties_.could_be_kept && !hinted_ && progress->seconds >= kHintSeconds) {
      hinted_ = true;
      duties_.line->announce(
          "spillway: nothing of this check is kept; start it with --run-dir DIR to be able to stop "
          "and resume it");
    }
  }
  if (duties_.directory != nullptr && progress->seconds >= next_now_) {
    next_now_ = progress->seconds + kNowSeconds;
    write_live_status(figures);
  }
}

// Before anything is on a disk there is nothing to tell.
void CheckMonitor::measure_disk() {
  if (duties_.disk_room == nullptr || duties_.disk_room->used() == 0) return;
  gauges_.set_disk(
      {duties_.disk_room->used(), duties_.disk_room->limit(), free_bytes(duties_.places)});
}

// It is news only: a disk that is full or broken shows elsewhere.
void CheckMonitor::write_live_status(const ProgressFigures& figures) {
  if (!can_write_) return;
  try {
    duties_.directory->write_live_status(live_status_of(figures, std::time(nullptr)));
  } catch (const Error&) {
    can_write_ = false;
  }
}

}  // namespace spillway
