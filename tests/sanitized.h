// Whether a sanitizer watches: tests that repeat something very often do it less often then.
#pragma once

namespace spillway {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace spillway
