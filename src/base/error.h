// Failures.  An Error carries one sentence that names the object, the number and the remedy; it is thrown
// where something goes wrong and caught in check() and main() only.  Outcomes of a search (a violated
// property, a limit) are values, not errors.
#pragma once

#include <stdexcept>
#include <string>

namespace spillway {

enum class Fault {
  usage,      // the command line is wrong
  model,      // the model cannot be read or does not keep its promises
  system,     // the operating system refused something
  integrity,  // stored data is not what was written
  memory,     // the budget has no more: a limit, for a search, and not a failure
  disk,       // the disk has no more: likewise
  internal,   // a bug in Spillway
};

class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& sentence) : std::runtime_error(sentence), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

// A promise that stays checked in release builds.  For what only a bug in Spillway can break.
[[noreturn]] void broken_promise(const char* expression, const char* file, int line);
#define SPILLWAY_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::spillway::broken_promise(#expression, __FILE__, __LINE__))

}  // namespace spillway
