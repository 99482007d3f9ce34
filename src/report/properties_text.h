// The results of the properties, for people: one line that sums up, and those that matter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"

namespace spillway {

// In the order in which they are summed up.
enum class Standing { violated, undecided, unchecked, holds, probably_holds, ignored };

// Of one property, as a report shows it.
struct ShownProperty {
  std::string kind, name;
  std::uint32_t line = 0;  // in the text of the model; 0: unknown
  Standing standing = Standing::undecided;
  std::string more = {};  // behind the verb: " at depth 3"
};
ShownProperty shown(const PropertyResult& property);

// invariant "name" (line 12), or what a property that every model has is called.
std::string property_name(std::string_view kind, std::string_view name, std::uint32_t line);

struct PropertyListStyle {
  bool all = false;  // list every property, otherwise some of those that do not hold
  bool color = false;
  std::string_view how_to_list_all = "--verbose lists all";
};
// "  7 properties: 1 VIOLATED, 6 hold" and lines of properties; empty if there are none.
std::string properties_text(const std::vector<ShownProperty>& properties,
                            const PropertyListStyle& style);

}  // namespace spillway
