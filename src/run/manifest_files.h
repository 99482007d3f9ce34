// Manifests on a disk: written so that one counts either wholly or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/disk.h"
#include "run/manifest.h"

namespace spillway {

class ManifestFiles {
 public:
  explicit ManifestFiles(Disk& disk) : disk_(disk) {}

  // The generation that a file of this name is of, finished or not; nothing: it is no manifest.
  static std::optional<std::uint64_t> generation_in(std::string_view name);

  // Generations that have a manifest, the newest first.
  std::vector<std::uint64_t> generations() const;
  // Above all numbers that have been used, also by attempts that failed.
  std::uint64_t next_generation() const;

  // Throws Error(integrity) when it is not whole.
  Manifest read(std::uint64_t generation) const;

  // The newest that is whole, if there is one; why newer ones are not goes to `faults`.
  std::optional<Manifest> newest(std::vector<std::string>& faults) const;

  // It counts, for certain, when this returns.  REQUIRES: all that it speaks of is on disk for certain.
  void write(const Manifest& manifest);

 private:
  void write_text(const std::string& name, const std::string& text);
  std::string read_text(const std::string& name) const;

  Disk& disk_;
};

}  // namespace spillway
