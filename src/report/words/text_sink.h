// The destination of a text while it is made, so that nobody has all of it in memory.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace spillway {

using TextSink = std::function<void(std::string_view)>;
using TextSource = std::function<void(const TextSink&)>;

// All of it at once.
inline std::string whole_text(const TextSource& source) {
  std::string text;
  source([&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace spillway
