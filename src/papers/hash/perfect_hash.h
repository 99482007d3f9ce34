// A minimal perfect hash: a bijection between a set of n keys and the numbers below n, in about 2.6
// bits a key, without the keys.
//
// It answers for other keys too, with any number: ask for members only.  A hash with check values
// notices others, up to one in 65,536, for tests.
//
// Idea.  Hash each key to 128 bits.  Sort them, on disk if need be; cut them into parts of about
// 50,000 keys; give each part a bijection of its own (hash_part.h), whose numbers follow those of
// the parts before.
//
// Source.  Parts by external sorting: Botelho, Pagh and Ziviani 2013, whose hash Edelkamp and
// Sulewski use; the function of a part is a newer one, half as large as theirs and faster.
//
// Cost.  To build: one sort of 16 bytes a key, and 1 to 2 MiB for the part at hand.  To ask: one
// random access, and in one case of a hundred another; with the parts on disk, as many reads of
// 4 KiB.  Besides the parts, 24 bytes for each are in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/memory/claim.h"
#include "io/data/disk.h"
#include "papers/hash/hash_part.h"
#include "papers/hash/part_bytes.h"

namespace spillway {

struct PerfectHashSettings {
  bool on_disk = false;
  bool check_values = false;     // notices keys that are no members: 16 bits more for each key
  std::size_t disk_blocks = 64;  // of 4 KiB, kept in memory if it is on disk
  // Sizes that only tests change.
  std::uint32_t part_keys = 50'000;  // on average
  std::size_t sort_rows = 0;         // at once; 0: by the budget
  std::uint64_t seed = 1;            // the first one to be tried
  // For tests of seeds that fail.
  HashKey (*hash)(State key, std::uint64_t seed) = hash_key;
};

class PerfectHash {
 public:
  // Calls its argument for every key, once.  It is called again if a seed does not do.
  using EachKey = std::function<void(const std::function<void(State)>&)>;

  // `count`: of the keys.  `poll` is called now and then; it may throw.  Throws Error(memory) or
  // Error(usage) if the budget is too small, Error(integrity) if there are not so many keys, or two
  // are equal.  REQUIRES: budget and disk outlive it.
  PerfectHash(Budget& budget, Disk& disk, std::uint64_t count, const EachKey& each,
              const PerfectHashSettings& settings, const std::function<void()>& poll);

  // REQUIRES: a member.
  std::uint64_t operator()(State key);

  std::uint64_t size() const { return size_; }
  std::uint64_t memory_bytes() const;
  std::uint64_t disk_bytes() const { return bytes_->disk_bytes(); }
  std::uint64_t reads() const { return bytes_->reads(); }  // of blocks

 private:
  struct Start {
    std::uint64_t key;   // number of the first one
    std::uint64_t byte;  // of its part
    std::uint8_t attempt;
  };

  bool build(const EachKey& each, const std::function<void()>& poll);
  bool end_parts(std::uint64_t part, HashPartBuilder& builder);
  void note_values(const HashPartBuilder& builder);

  Budget& budget_;
  Disk& disk_;
  const std::uint64_t size_;
  PerfectHashSettings settings_;
  const std::uint64_t parts_;
  Claim claim_;                // for starts and values
  std::vector<Start> starts_;  // of all parts, and the end
  std::unique_ptr<PartBytes> bytes_;
  std::vector<std::uint16_t> values_;  // to check members with, if wanted
};

}  // namespace spillway
