// Carries out transfers of the operating system's files; see uring_engine.h and posix_engine.h.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "io/data/transfer.h"

namespace spillway {

class Engine {
 public:
  virtual ~Engine() = default;

  // Repeats attempts on transfer.descriptor until nothing remains, then finishes the transfer.  Any
  // thread.
  virtual void start(Transfer& transfer) = 0;
  // Returns when the transfer has finished.  Any thread.
  virtual void await(Transfer& transfer) = 0;
  virtual std::string describe() const = 0;
};

enum class EngineKind { best, uring, posix };

// best: io_uring, or pread and pwrite if the kernel refuses it, with the reason in describe().
// uring: throws Error(system) if the kernel refuses it.
std::unique_ptr<Engine> make_engine(EngineKind kind);

}  // namespace spillway
