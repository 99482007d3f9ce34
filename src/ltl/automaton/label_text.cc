#include "ltl/automaton/label_text.h"

namespace spillway::ltl {

std::string text(const Label& label, std::span<const std::string> names,
                 std::string_view otherwise) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Letter bit = Letter{1} << i;
    if (((label.positive | label.negative) & bit) == 0) continue;
    if (!result.empty()) result += " && ";
    if ((label.negative & bit) != 0) result += '!';
    result += names[i];
  }
  return result.empty() ? std::string(otherwise) : result;
}

}  // namespace spillway::ltl
