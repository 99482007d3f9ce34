// Errors in formulas, as users see them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text/diagnostic.h"
#include "ltl/reading/lexer.h"

namespace spillway::ltl {

// Bytes [from, to) of a text.
SourcePosition position_of(std::string_view text, std::uint32_t from, std::uint32_t to);

// Throws a DiagnosedError that shows the place.
[[noreturn]] void refuse(std::string_view origin, std::string_view text, const BadFormula& bad);

// Texts are limited, so that positions have 32 bits and reading ends soon.
inline constexpr std::size_t kMostFormulaBytes = 1U << 17, kMostFileBytes = 1U << 24;
// Throws an Error(model).
void check_size(std::string_view origin, std::size_t bytes, std::size_t most);

}  // namespace spillway::ltl
