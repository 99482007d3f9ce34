// The events of a check, one JSON object a line (NDJSON), for programs that follow it.  The names
// of members are stable: docs/manual/events.md.
//
// Each function returns one line with its newline.  `seconds` are those since the check began.
#pragma once

#include <cstdint>
#include <string>

#include "check/check.h"
#include "report/progress/progress.h"
#include "report/words/subject.h"

namespace spillway {

inline constexpr int kEventsVersion = 1;

// `earlier_levels`: complete in the run that is resumed.
std::string start_event(const Subject& subject, std::uint64_t earlier_levels);
// REQUIRES: figures.progress is that of a level that is done.
std::string level_event(double seconds, const ProgressFigures& figures);
std::string checkpoint_event(double seconds, std::uint64_t generation, std::uint64_t levels);
std::string message_event(double seconds, const std::string& text);
std::string finding_event(double seconds, const PropertyResult& property);
std::string end_event(double seconds, const CheckResult& result, int exit_code);

}  // namespace spillway
