#include "io/data/uring_engine.h"

#include <fmt/format.h>
#include <liburing.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "base/error.h"

namespace spillway {
namespace {

constexpr unsigned kRings = 16;
constexpr unsigned kInFlight = 256;  // in each

// Which ring a thread uses: as long as there are not more threads than rings, no other does.
unsigned ring_of_this_thread() {
  static std::atomic<unsigned> threads{0};
  thread_local const unsigned mine = threads.fetch_add(1, std::memory_order_relaxed) % kRings;
  return mine;
}

class Ring {
 public:
  Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    if (is_open()) io_uring_queue_exit(&ring_);
  }

  // Opens the ring on the first call.  Returns an error number, or 0.
  int open() {
    std::call_once(opened_, [&] { error_ = -io_uring_queue_init(kInFlight, &ring_, 0); });
    return error_;
  }

  void start(Transfer& transfer) {
    std::unique_lock lock(mutex_);
    while (in_flight_ == kInFlight) take_completions(lock);
    ++in_flight_;
    submit(transfer);
  }

  void await(Transfer& transfer) {
    std::unique_lock lock(mutex_);
    while (!transfer.finished()) take_completions(lock);
  }

 private:
  static constexpr int kNotOpened = -1;
  bool is_open() const { return error_ == 0; }

  // REQUIRES: the lock is held, as for every use of the submission side of the ring.
  void submit(Transfer& transfer) {
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    SPILLWAY_CHECK(entry != nullptr);  // each is submitted at once, so the queue is empty
    const auto size = static_cast<unsigned>(std::min<std::size_t>(transfer.size(), 1U << 30));
    if (transfer.direction() == Direction::read)
      io_uring_prep_read(entry, transfer.descriptor, transfer.data(), size, transfer.position());
    else
      io_uring_prep_write(entry, transfer.descriptor, transfer.data(), size, transfer.position());
    io_uring_sqe_set_data(entry, &transfer);
    // It fails only while the kernel has no memory.
    while (io_uring_submit(&ring_) < 0) std::this_thread::yield();
  }

  // Waits until something has been completed, here or in another thread, and returns with the lock
  // held.
  void take_completions(std::unique_lock<std::mutex>& lock) {
    if (taking_) {
      completed_.wait(lock);
      return;
    }
    taking_ = true;
    lock.unlock();
    io_uring_cqe* entry = nullptr;
    // After an interrupted wait, nothing is found below, and the caller calls again.
    io_uring_wait_cqe(&ring_, &entry);
    lock.lock();
    while (io_uring_peek_cqe(&ring_, &entry) == 0) {
      auto& transfer = *static_cast<Transfer*>(io_uring_cqe_get_data(entry));
      const int result = entry->res;
      io_uring_cqe_seen(&ring_, entry);
      take(transfer, result);
    }
    taking_ = false;
    completed_.notify_all();
  }

  void take(Transfer& transfer, int result) {
    if (!transfer.absorb(result)) {
      submit(transfer);
      return;
    }
    --in_flight_;
    transfer.finish();
  }

  std::once_flag opened_;
  int error_ = kNotOpened;
  io_uring ring_{};
  std::mutex mutex_;
  std::condition_variable completed_;
  bool taking_ = false;
  unsigned in_flight_ = 0;
};

class UringEngine final : public Engine {
 public:
  explicit UringEngine(std::string& refusal) {
    const int error = rings_[0].open();
    open_ = error == 0;
    if (!open_) refusal = fmt::format("the kernel refuses io_uring: {}", std::strerror(error));
  }
  bool is_open() const { return open_; }

  void start(Transfer& transfer) override {
    const unsigned wanted = ring_of_this_thread();
    transfer.channel = rings_[wanted].open() == 0 ? wanted : 0;  // the number may be limited
    rings_[transfer.channel].start(transfer);
  }
  void await(Transfer& transfer) override { rings_[transfer.channel].await(transfer); }

  std::string describe() const override { return "io_uring"; }

 private:
  std::array<Ring, kRings> rings_;
  bool open_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_uring_engine(std::string& refusal) {
  auto engine = std::make_unique<UringEngine>(refusal);
  if (!engine->is_open()) return nullptr;
  return engine;
}

}  // namespace spillway
