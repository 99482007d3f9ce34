// Tells the user how a check has ended: the text, the JSON, the page and the exit code.
#pragma once

#include <cstdio>
#include <string>

#include "check/check.h"
#include "cli/options/options.h"
#include "cli/session/check_events.h"
#include "report/page/history.h"
#include "report/words/subject.h"

namespace spillway {

class CheckReport {
 public:
  enum class Use { run_directory, page };

  // All of them must outlive it.
  CheckReport(const CommandSettings& settings, CheckEvents& events, const History& history)
      : settings_(settings), events_(events), history_(history) {}

  // Where text goes: to standard error if JSON goes to standard output.
  std::FILE* text_stream() const {
    return settings_.json_file == "-" || settings_.events_file == "-" ? stderr : stdout;
  }
  int exit_code(const CheckResult& result) const;
  // Prints the result and writes the JSON, the page and the last events if the user wants them. The
  // peak of the memory becomes what it is after the text, and is the same in all others.  Throws
  // Error(system).
  void tell(const Subject& subject, CheckResult& result) const;
  // The JSON for a run directory or a page, which need all of it at once: long counterexamples are
  // cut to a part of --memory.
  std::string document(const Subject& subject, const CheckResult& result, Use use) const;

 private:
  bool fails_on_dead_rules(const CheckResult& result) const;
  void write_page(const Subject& subject, const CheckResult& result) const;

  const CommandSettings& settings_;
  CheckEvents& events_;
  const History& history_;
};

}  // namespace spillway
