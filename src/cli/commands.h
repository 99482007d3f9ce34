// The commands; commands.cc has the table of them.
#pragma once

#include "cli/options/options.h"

namespace spillway {

int run_check(const CommandSettings& settings);
int run_estimate(const CommandSettings& settings);
int run_lint(const CommandSettings& settings);
int run_ltl(const CommandSettings& settings);
int run_explain(const CommandSettings& settings);
int run_resume(const CommandSettings& settings);
int run_status(const CommandSettings& settings);
int run_simulate(const CommandSettings& settings);
int run_explore(const CommandSettings& settings);
int run_trace(const CommandSettings& settings);
int run_report(const CommandSettings& settings);
int run_test(const CommandSettings& settings);
int run_fsck(const CommandSettings& settings);
int run_clean(const CommandSettings& settings);

}  // namespace spillway
