// What a check tells its user at the end: the text, the JSON and the exit code.
#pragma once

#include <cstdio>
#include <string>

#include "check/check.h"
#include "cli/options.h"
#include "report/subject.h"

namespace spillway {

class CheckReport {
 public:
  // `settings` must outlive it.
  explicit CheckReport(const Settings& settings) : settings_(settings) {}

  // Where text goes: to standard error if the JSON goes to standard output.
  std::FILE* text_stream() const { return settings_.json_file == "-" ? stderr : stdout; }
  int exit_code(const CheckResult& result) const;
  // Prints the result and writes the JSON if the user wants it; returns the JSON.  Throws
  // Error(system).
  std::string tell(const Subject& subject, const CheckResult& result) const;

 private:
  bool fails_on_dead_rules(const CheckResult& result) const;

  const Settings& settings_;
};

}  // namespace spillway
