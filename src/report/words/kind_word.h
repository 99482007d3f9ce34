// The words for kinds of properties, in texts and in the JSON.
#pragma once

#include <string_view>

#include "base/property_kind.h"

namespace spillway {

constexpr std::string_view kind_word(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::invariant: return "invariant";
    case PropertyKind::assertion: return "assertion";
    case PropertyKind::deadlock: return "deadlock";
    case PropertyKind::runtime_error: return "runtime-error";
    case PropertyKind::cover: return "cover";
    case PropertyKind::reachable: return "reachable";
    case PropertyKind::acceptance: return "acceptance";
    case PropertyKind::ctl: return "ctl";
    case PropertyKind::ltl: return "ltl";
    case PropertyKind::assumption: return "assumption";
  }
  return "";
}

}  // namespace spillway
