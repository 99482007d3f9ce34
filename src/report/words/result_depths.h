// The depths of members in the JSON of a result, for readers that leave some of them out.  Names of
// the model, such as those of constants, stand elsewhere.
#pragma once

namespace spillway {

inline constexpr int kOfResult = 1;
inline constexpr int kOfProperty = 3;  // of one of its properties

}  // namespace spillway
