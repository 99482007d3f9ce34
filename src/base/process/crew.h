// A fixed team of threads that carries out one parallel task after another.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace spillway {

class Crew {
 public:
  // The calling thread is worker 0.  Workers 1 .. size-1 are threads of their own, idle between
  // tasks.
  explicit Crew(unsigned size);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  unsigned size() const { return size_; }

  // Runs task(0) .. task(size-1) concurrently and returns when all have ended.  If some of them
  // throw, the exception of the lowest-numbered worker is rethrown.
  void each(const std::function<void(unsigned)>& task);

 private:
  void dismiss();
  void work(unsigned worker);
  void perform(unsigned worker);

  const unsigned size_;
  std::vector<std::thread> threads_;
  std::vector<std::exception_ptr> failures_;
  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  const std::function<void(unsigned)>* task_ = nullptr;
  std::uint64_t round_ = 0;  // number of the task
  unsigned busy_ = 0;
  bool leaving_ = false;
};

}  // namespace spillway
