// The commands; commands.cc has the table of them.
#pragma once

#include "cli/options.h"

namespace spillway {

int run_check(const Settings& settings);
int run_estimate(const Settings& settings);
int run_lint(const Settings& settings);
int run_ltl(const Settings& settings);
int run_explain(const Settings& settings);
int run_resume(const Settings& settings);
int run_status(const Settings& settings);
int run_simulate(const Settings& settings);
int run_explore(const Settings& settings);
int run_trace(const Settings& settings);
int run_report(const Settings& settings);
int run_test(const Settings& settings);
int run_fsck(const Settings& settings);
int run_clean(const Settings& settings);

}  // namespace spillway
