// The values of options: from the words of a command line to settings.  All of them throw
// Error(usage).
#pragma once

#include <string_view>
#include <vector>

#include "cli/options/options.h"

namespace spillway {

void set_threads(CommandSettings& settings, std::string_view text);
void set_constant(CommandSettings& settings, std::string_view text);     // NAME=VALUE
void set_proposition(CommandSettings& settings, std::string_view text);  // NAME=EXPRESSION
void set_run_directory(CommandSettings& settings, std::string_view text);
// "full", or "signature", or "signature:BITS", or "signature:BITS:SEED".
void set_store(CommandSettings& settings, std::string_view text);

void set_max_errors(CommandSettings& settings, std::string_view text);
void set_dashboard(CommandSettings& settings, std::string_view text);
void set_port(CommandSettings& settings, std::string_view text);  // below 65536
void set_language_option(CommandSettings& settings, const LanguageOption& option,
                         std::string_view text);

// Options with a few values that have names: the names, for the help, and what sets one of them.
using Names = std::vector<std::string_view>;

Names deadlock_names();
void set_deadlock(CommandSettings& settings, std::string_view text);
Names ignored_names();
void set_ignored(CommandSettings& settings, std::string_view text);
Names run_end_names();
void set_run_ends(CommandSettings& settings, std::string_view text);
Names parts_names();
void set_parts(CommandSettings& settings, std::string_view text);
Names symmetry_names();
void set_symmetry(CommandSettings& settings, std::string_view text);
Names execute_names();
void set_execute(CommandSettings& settings, std::string_view text);
Names hash_names();
void set_hash(CommandSettings& settings, std::string_view text);
Names algorithm_names();
void set_algorithm(CommandSettings& settings, std::string_view text);
Names exit_code_names();
void set_exit_code(CommandSettings& settings, std::string_view text);
Names trace_names();
void set_trace(CommandSettings& settings, std::string_view text);
Names sequence_names();
void set_sequence(CommandSettings& settings, std::string_view text);
Names color_names();
void set_color(CommandSettings& settings, std::string_view text);

}  // namespace spillway
