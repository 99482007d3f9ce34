#include "base/text/quoted_names.h"

#include <fmt/format.h>

#include "base/text/printable.h"

namespace spillway {

std::string quoted_names(const std::vector<std::string>& names, char quote) {
  std::string all;
  for (const std::string& name : names)
    all += fmt::format("{}{}{}{}", all.empty() ? "" : ", ", quote, printable(name), quote);
  return all;
}

}  // namespace spillway
