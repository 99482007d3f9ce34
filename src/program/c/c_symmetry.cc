#include "program/c/c_symmetry.h"

#include <fmt/format.h>

#include "program/c/c_colours.h"
#include "program/c/c_permutation.h"
#include "program/c/c_symmetry_text.h"
#include "program/symmetry/colour_hash.h"

namespace spillway::program {

std::string symmetry_c(const SymmetricCells& cells) {
  constexpr std::uint32_t kMostIdentities = 1000;  // arrays of them are on the stack
  if (cells.identities() == 0 || cells.identities() > kMostIdentities ||
      cells.cells().size() > kMostSymmetricCells)
    return "";
  std::string out = fmt::format("\n#define I {}\n#define GROUPS {}\n#define RELATED {}\n",
                                cells.identities(), cells.groups().size(), cells.related() ? 1 : 0);
  out += fmt::format("#define HELD {}\n", +kHeld);
  out += kBeforeSymmetry;
  out += "static const group groups[] = {";
  for (const SymmetricCells::Group& group : cells.groups())
    out += fmt::format("{{{}, {}}},", group.first, group.size);
  out += "};\n" + CColours(cells).text() + CPermutation(cells).text();
  return out.append(kCanonical);
}

}  // namespace spillway::program
