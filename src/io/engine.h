// How transfers of the operating system's files are carried out: see uring_engine.h and posix_engine.h.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "io/transfer.h"

namespace spillway {

class Engine {
 public:
  virtual ~Engine() = default;

  // Attempts transfer.descriptor until nothing remains, then finishes the transfer.  Any thread.
  virtual void start(Transfer& transfer) = 0;
  // Returns when it has finished.  Any thread.
  virtual void await(Transfer& transfer) = 0;
  virtual std::string describe() const = 0;
};

enum class EngineKind { best, uring, posix };

// best: io_uring, and where the kernel refuses it pread and pwrite, with the reason in describe().
// uring: Error(system) where the kernel refuses it.
std::unique_ptr<Engine> make_engine(EngineKind kind);

}  // namespace spillway
