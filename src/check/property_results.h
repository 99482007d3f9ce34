// The result of each property when a check has ended, and the words for kinds of properties.
#pragma once

#include <string_view>

#include "check/facts/finding.h"

namespace spillway {

// As in PropertyResult::kind (check.h).
std::string_view kind_word(FindingKind kind);

}  // namespace spillway
