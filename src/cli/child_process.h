// Another process of this program, waited for.
#pragma once

#include <string>
#include <vector>

namespace spillway {

// While it lives, SIGINT and SIGTERM do not end this process: the child of run_child() gets them,
// and ends in its own way.
class SignalsForChildren {
 public:
  SignalsForChildren();
  ~SignalsForChildren();
  SignalsForChildren(const SignalsForChildren&) = delete;
  SignalsForChildren& operator=(const SignalsForChildren&) = delete;

  static int received();  // the last one; 0: none
};

// Runs this program with these arguments to its end.  What it prints to standard output is dropped.
// It ends if this process is killed.  Returns its exit code, 128 + N for signal N.  Throws
// Error(system).
int run_child(const std::vector<std::string>& arguments);

}  // namespace spillway
