#include "base/process/crew.h"

#include <fmt/format.h>

#include <system_error>

#include "base/error.h"

namespace spillway {

Crew::Crew(unsigned size) : size_(size), failures_(size) {
  try {
    for (unsigned i = 1; i < size; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error& refused) {
    const std::size_t started = threads_.size() + 1;
    dismiss();
    throw Error(Fault::system,
                fmt::format("only {} of {} threads could be started ({}): use fewer --threads",
                            started, size, refused.what()));
  }
}

Crew::~Crew() { dismiss(); }

void Crew::dismiss() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::each(const std::function<void(unsigned)>& task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    busy_ = size_ - 1;
    ++round_;
    for (std::exception_ptr& failure : failures_) failure = nullptr;
  }
  begin_.notify_all();
  perform(0);
  {
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return busy_ == 0; });
    task_ = nullptr;
  }
  for (const std::exception_ptr& failure : failures_)
    if (failure) std::rethrow_exception(failure);
}

void Crew::perform(unsigned worker) {
  try {
    (*task_)(worker);
  } catch (...) {
    failures_[worker] = std::current_exception();
  }
}

void Crew::work(unsigned worker) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return leaving_ || round_ != seen; });
      if (leaving_) return;
      seen = round_;
    }
    perform(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

}  // namespace spillway
