// The options that were given on a command line, as reports name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"
#include "report/words/subject.h"

namespace spillway {

// The values of those that set `option`: the last one, or all that count.
std::vector<std::string> values_given(const CommandSettings& settings, const Option& option);
// The same but for a value that is as if the option were not given.  Those that may be repeated
// have none such: what the help says about them then is a sentence, and may be the name of a rule.
std::vector<std::string> values_that_count(const CommandSettings& settings, const Option& option);

// All options that count: of one that was given twice, the last.
std::vector<GivenOption> given_options(const CommandSettings& settings);

// Throws Error(usage), which names the command, if there is no model.
void need_model(const CommandSettings& settings, std::string_view command);

// What is known before the model is opened.
Subject given_subject(const CommandSettings& settings);

// Those that change what a verdict means: "NODES=5 --deadlock=off".
std::string configuration_text(const CommandSettings& settings);

}  // namespace spillway
