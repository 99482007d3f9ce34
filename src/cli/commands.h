// The commands; commands.cc has the table of them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "cli/options.h"
#include "directory/run_folder.h"

namespace spillway {

int run_check(const Settings& settings);
int run_lint(const Settings& settings);
int run_explain(const Settings& settings);
int run_resume(const Settings& settings);
int run_status(const Settings& settings);
int run_fsck(const Settings& settings);
int run_clean(const Settings& settings);

// Checks the model of a run folder, from its newest checkpoint on.
int check_in(const RunFolder& folder, const Settings& settings);

// Prints to the user.  Standard error may be closed; errors of standard output are detected when
// the program ends.
void say(std::FILE* stream, const std::string& text);
// Writes to a file, or to standard output if the path is "-".  Throws Error(system).
void write_file(const std::string& path, const std::string& text);
// The memory budget of a search: `memory_bytes` minus what the process has already taken and will
// take for threads.  Throws Error(usage) if less than `least` remains.
std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads = 1,
                            std::uint64_t least = 0);
std::uint64_t memory_bytes(const Settings& settings);

}  // namespace spillway
