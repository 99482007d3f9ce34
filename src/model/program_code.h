// The native code of a program, and which of it executes the program now.
//
// A search can begin before the optimizing compiler is done: with the code of tcc, or with none,
// and then the interpreter executes the program.  Between two levels, execution is handed over to
// the optimized code as soon as that is there.  All of them compute the same in the same order, so
// nothing that is reported depends on when that happens, except executions().
//
// Code that has been in use stays loaded until the end: what it has counted can be added up.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/process/stop_request.h"
#include "model/compiled_model.h"
#include "model/native.h"

namespace spillway {

// How a program is executed.
enum class Executed {
  automatic,    // at once by tcc or the interpreter, and later by optimized code
  optimized,    // by optimized code from the beginning
  quick,        // by the code of tcc
  interpreted,  // without native code
  in_turn,      // for tests: another way for each level
};

class ProgramCode {
 public:
  ProgramCode(Executed executed, Compiling compiling);
  ~ProgramCode();

  // Gets code for the C text of the program, if it is not to be interpreted.  There is none if a
  // stop is requested.  Throws Error(system) if there is none and the interpreter is not allowed.
  void prepare(const std::string& text);

  // What executes the program now; nullptr: the interpreter.  Changes in before_level() only.
  const CompiledModel* current() const { return current_.load(std::memory_order_acquire); }

  // As in Runtime.  REQUIRES: one thread, and none that executes the program.
  void before_level(std::uint64_t level, std::uint64_t states);
  std::vector<ExecutedLevels> executions() const;
  std::uint64_t bytes_to_come() const;

 private:
  struct Loaded {
    NativeObject object;
    CompiledModel model;  // loaded from it
    StopWord stop_word;   // in it
    explicit Loaded(NativeObject native)
        : object(std::move(native)), model(object.path()), stop_word(model.stop_word()) {}
  };
  using Clock = std::chrono::steady_clock;

  void get_code(const std::string& text);
  void prepare_optimized(const std::string& text);
  void prepare_quick(const std::string& text);
  void prepare_both(const std::string& text);
  void begin_at(std::uint64_t level);
  bool hand_over(std::uint64_t level);
  void use(const Loaded* code, std::uint64_t level);
  double patience(std::uint64_t states);
  void warn(const std::string& sentence) const;

  const Executed executed_;
  const Compiling compiling_;
  std::unique_ptr<Loaded> quick_;
  std::unique_ptr<Loaded> optimized_;
  std::unique_ptr<Compilation> compilation_;  // while optimized code may come
  std::atomic<const CompiledModel*> current_{nullptr};
  std::size_t text_bytes_ = 0;
  bool begun_ = false;  // the first level of this process
  std::string later_;   // a warning for searches that take more than a moment

  Clock::time_point begin_ = Clock::now();
  // The level before: when it began, and its states.
  Clock::time_point level_begin_ = begin_;
  std::uint64_t level_states_ = 0;
  std::optional<double> seconds_per_state_;

  mutable std::mutex mutex_;  // guards executions_
  std::vector<ExecutedLevels> executions_;
};

}  // namespace spillway
