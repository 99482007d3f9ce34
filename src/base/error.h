// Failures.  An Error carries one sentence that names the object, the number and the remedy.  It is
// thrown where the failure occurs and usually caught in check() and main(); code in between catches
// it only if it can do without what failed.  Outcomes of a search (a violated property, a limit)
// are values, not errors.
#pragma once

#include <stdexcept>
#include <string>

namespace spillway {

enum class Fault {
  usage,      // the command line is wrong
  model,      // the model cannot be read or breaks the promises of its interface
  system,     // the operating system refused a request
  integrity,  // stored data differs from what was written
  memory,     // the memory budget is exhausted; a search reports this as a limit
  disk,       // the disk is full; likewise
  lost,       // another rank of a cluster is lost; likewise
  internal,   // a bug in Spillway
};

class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& sentence) : std::runtime_error(sentence), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

// A check that stays in release builds, for conditions that only a bug in Spillway can violate.
[[noreturn]] void broken_promise(const char* expression, const char* file, int line);
#define SPILLWAY_CHECK(expression)     \
  ((expression) ? static_cast<void>(0) \
                : ::spillway::broken_promise(#expression, __FILE__, __LINE__))

}  // namespace spillway
