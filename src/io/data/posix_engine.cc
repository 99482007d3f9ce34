#include "io/data/posix_engine.h"

#include <unistd.h>

#include <cerrno>
#include <deque>
#include <thread>
#include <vector>

namespace spillway {
namespace {

constexpr unsigned kThreads = 8;  // transfers at the same time

std::int64_t attempt(const Transfer& transfer) {
  const auto position = static_cast<off_t>(transfer.position());
  const ssize_t moved =
      transfer.direction() == Direction::read
          ? pread(transfer.descriptor, transfer.data(), transfer.size(), position)
          : pwrite(transfer.descriptor, transfer.data(), transfer.size(), position);
  return moved < 0 ? -errno : moved;
}

class PosixEngine final : public Engine {
 public:
  explicit PosixEngine(std::string description) : description_(std::move(description)) {
    for (unsigned i = 0; i < kThreads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~PosixEngine() override {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    waiting_changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void start(Transfer& transfer) override {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(&transfer);
    }
    waiting_changed_.notify_one();
  }

  void await(Transfer& transfer) override {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return transfer.finished(); });
  }

  std::string describe() const override { return description_; }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      waiting_changed_.wait(lock, [&] { return leaving_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      Transfer& transfer = *waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      while (!transfer.absorb(attempt(transfer))) {
      }
      lock.lock();
      transfer.finish();
      finished_.notify_all();
    }
  }

  const std::string description_;
  std::mutex mutex_;
  std::condition_variable waiting_changed_;
  std::condition_variable finished_;
  std::deque<Transfer*> waiting_;
  bool leaving_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Engine> make_posix_engine(std::string description) {
  return std::make_unique<PosixEngine>(std::move(description));
}

}  // namespace spillway
