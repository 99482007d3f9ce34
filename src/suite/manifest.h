// The cases of `spillway test`: which models are checked, and how each check is to end.  They are
// in a file in TOML; docs/manual/ci.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

struct TestCase {
  std::string name;                    // no two are the same
  std::string model;                   // its path, from the folder of the manifest
  std::vector<std::string> constants;  // "NODES=4"
  std::string verdict;                 // that is expected: "verified", "violated" ...
  std::string property;                // that is to be violated; empty: any
  std::optional<std::uint64_t> states, transitions, depth;  // that are expected
  std::vector<std::string> lanes;                           // none: it belongs to all of them
  // Options of `check`: the limits first, then those that the manifest has.
  std::vector<std::string> options;
  bool keeps = true;  // what was searched when time was up, for the next time
};

// Those in a manifest, in its order.  `path` is where it was read from.  Throws Error(usage),
// beginning with the file and the line, if anything in it is not understood: a case that is left
// out by mistake would pass.
std::vector<TestCase> read_manifest(const std::string& text, const std::string& path);

}  // namespace spillway
