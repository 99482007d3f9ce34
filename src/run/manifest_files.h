// Manifests on a disk: written so that one counts either wholly or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/disk.h"
#include "run/manifest.h"

namespace spillway {

class ManifestFiles {
 public:
  explicit ManifestFiles(Disk& disk, RunMark run = {}) : disk_(disk), run_(std::move(run)) {}

  // The generation that a file of this name is of, finished or not; nothing: it is no manifest.
  static std::optional<std::uint64_t> generation_in(std::string_view name);

  // Generations that have a manifest, the newest first.
  std::vector<std::uint64_t> generations() const;
  // Above all numbers that have been used, also by attempts that failed.
  std::uint64_t next_generation() const;

  static std::string name_of(std::uint64_t generation);

  // Throws Error(integrity) when it is not whole or not of this run, Error(usage) when it is of another version.
  Manifest read(std::uint64_t generation) const;

  // The newest that is whole, if there is one; why newer ones are not goes to `faults`.  Throws Error(usage) when the
  // newest is of another version.
  std::optional<Manifest> newest(std::vector<std::string>& faults) const;

  // Says that the newest checkpoint, which was of this generation, has no manifest any more; nothing: it has.
  std::optional<std::string> missing(std::uint64_t newest) const;

  // It counts, for certain, when this returns.  REQUIRES: all that it speaks of is on disk for certain.
  void write(const Manifest& manifest);

 private:
  void write_text(const std::string& name, const std::string& text);
  std::string read_text(const std::string& name) const;

  Disk& disk_;
  const RunMark run_;
};

}  // namespace spillway
