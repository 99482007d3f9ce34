// Manifests on a disk, written atomically.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/durable/manifest.h"
#include "io/data/disk.h"

namespace spillway {

class ManifestFiles {
 public:
  explicit ManifestFiles(Disk& disk, RunMark run = {}) : disk_(disk), run_(std::move(run)) {}

  // Generations that have a manifest, newest first.
  std::vector<std::uint64_t> generations() const;
  // Above all numbers used so far, including those of failed attempts.
  std::uint64_t next_generation() const;

  static std::string name_of(std::uint64_t generation);

  // Throws Error(integrity) if it is damaged or not of this run, Error(usage) if it is of another
  // version.
  Manifest read(std::uint64_t generation) const;

  // The newest intact manifest, if any; the reasons against newer ones go to `faults`.  Throws
  // Error(usage) if the newest is of another version.  Those above `at_most` do not count.
  std::optional<Manifest> newest(std::vector<std::string>& faults,
                                 std::uint64_t at_most = kMostGenerations) const;

  // A message if the newest checkpoint, of generation `newest`, has lost its manifest; std::nullopt
  // if not.
  std::optional<std::string> missing(std::uint64_t newest) const;

  // The manifest counts, durably, when this returns.  REQUIRES: everything it refers to is durable.
  void write(const Manifest& manifest);

 private:
  void write_text(const std::string& name, const std::string& text);
  std::string read_text(const std::string& name) const;

  Disk& disk_;
  const RunMark run_;
};

}  // namespace spillway
