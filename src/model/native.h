// Compiles generated C to a shared object with the compilers of the system.
//
// There are two ways.  The optimizing compiler takes half a second to many seconds, so it can work
// in the background, and what it makes is kept (model/object_cache.h).  tcc takes some
// milliseconds, and makes code that is about half as fast.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/descriptor.h"
#include "model/compiler.h"
#include "model/object_cache.h"

namespace spillway {

// A shared object in memory that can be loaded and cannot be changed.
class NativeObject {
 public:
  explicit NativeObject(std::string_view contents);  // throws Error(system)
  // For dlopen().  REQUIRES: this outlives what is loaded from it; the path may name another object
  // afterwards.
  std::string path() const;

 private:
  Descriptor file_;
};

enum class Effort { full, little };  // little: compiles fast, runs slowly

struct Compiling {
  Effort effort = Effort::full;
  bool cached = true;  // use the cache
  using Say = std::function<void(const std::string&)>;
  Say warn;  // for all users; may be empty
  Say tell;  // for verbose output; may be empty
  // Called once after a second of waiting, with the reason why nothing is kept for the next time,
  // or an empty text; may be empty.
  Say slow;
  // What the rest of the process may use meanwhile: the compiler gets no more than what is left.
  // 0: nothing that counts.
  std::uint64_t memory_beside = 0;
};

inline constexpr std::uint64_t kMostCpuSeconds = 120;

// The optimizing compiler at work on one text.  The compiler may take half of the machine's memory,
// and not more than is left beside the rest of the process (but at least 1 GiB), and
// kMostCpuSeconds.
class Compilation {
 public:
  enum class Start { at_once, soon };  // soon: what ends in a moment need not be disturbed

  // Looks for the text in the cache, and starts the compiler if it is not there.  If the compiler
  // needs too much time or memory, it is tried with less effort.  Throws Stopped.
  Compilation(const std::string& text, Compiling compiling, Start start = Start::at_once);
  ~Compilation();
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  // Waits for its end, at most so long.  True if it has ended.  Throws Stopped.
  bool wait(double seconds);
  // From now on, code of less effort is not worth having.
  void give_up_if_too_much() { less_effort_ = false; }

  // REQUIRES: it has ended -----------------------------------------------------------------------
  // The object, once; std::nullopt if there is none.
  std::optional<NativeObject> take();
  // Why there is no object, with the output of the compiler; empty if it needs too much time or
  // memory.
  const std::string& failure() const { return failure_; }

 private:
  struct Work;
  void start(Effort effort, Start when);
  void conclude();

  const Compiling compiling_;
  ObjectCache cache_;
  std::string key_;
  std::vector<std::string> compiler_;
  std::unique_ptr<Work> work_;  // while it is under way
  Effort effort_;
  bool large_;  // the text is
  bool less_effort_ = true;
  bool said_ = false;  // that it is slow
  std::optional<std::string> object_;
  std::string failure_;
};

// The object, from the cache if the same text was compiled before for the same processor; no
// compiler is needed then.  If the compiler needs too much, it is tried with less effort;
// std::nullopt if that needs too much as well.  Throws Error(system) with the output of the
// compiler, and Stopped.
std::optional<NativeObject> compile_c(const std::string& text, const Compiling& compiling = {});

// The object as tcc makes it; std::nullopt if there is no tcc or it fails.  Throws Stopped.
std::optional<NativeObject> compile_quickly(const std::string& text,
                                            const Compiling& compiling = {});

}  // namespace spillway
