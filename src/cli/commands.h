// What the commands do; the table of them is commands.cc.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "cli/options.h"
#include "cli/run_folder.h"

namespace spillway {

int run_check(const Settings& settings);
int run_lint(const Settings& settings);
int run_explain(const Settings& settings);
int run_resume(const Settings& settings);
int run_status(const Settings& settings);
int run_fsck(const Settings& settings);
int run_clean(const Settings& settings);

// Checks the model of a folder, from its newest checkpoint on.
int check_in(const RunFolder& folder, const Settings& settings);

// What a user reads.  Standard error may be closed; standard output is looked at when the program ends.
void say(std::FILE* stream, const std::string& text);
// To a file, or standard output if the path is "-".  Throws Error(system).
void write_file(const std::string& path, const std::string& text);
// The memory of a search: what the process may take, less what it has taken already and will take for threads.  Throws
// Error(usage) when that is less than `least`.
std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads = 1, std::uint64_t least = 0);
std::uint64_t memory_bytes(const Settings& settings);

}  // namespace spillway
