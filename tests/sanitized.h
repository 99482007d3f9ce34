// Whether a sanitizer watches: tests that repeat something very often do it less often then.
#pragma once

namespace spillway {

#if defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SPILLWAY_SANITIZED
#endif
#endif
#if defined(SPILLWAY_SANITIZED) || defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// Whether the thread sanitizer watches: what has no threads can be left out then.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kThreadsWatched = true;
#else
inline constexpr bool kThreadsWatched = false;
#endif

}  // namespace spillway
