// The results of `spillway test` for people and other programs.
#pragma once

#include <string>
#include <vector>

#include "suite/judge.h"

namespace spillway {

// One line, for the terminal.
std::string case_text(const CaseResult& result);
// "4 cases: 2 passed, 1 failed, 1 inconclusive"
std::string sum_text(const std::vector<CaseResult>& results);

// A file that CI systems read.  A case that is inconclusive is an error there: it must not look as
// if it had passed or did not matter.  `suite`: the path of the manifest.
std::string junit_xml(const std::string& suite, const std::vector<CaseResult>& results);

// A table for the summary of a job.
std::string markdown_summary(const std::string& suite, const std::vector<CaseResult>& results);

// One JSON object a line, with its newline.
std::string suite_start_line(const std::string& suite, std::size_t cases);
std::string case_line(const CaseResult& result);
std::string suite_end_line(const std::vector<CaseResult>& results, int exit_code);

}  // namespace spillway
