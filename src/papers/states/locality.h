// Chooses the parts of the file of visited states that are read to check candidates: those that
// have proved useful.
//
// The file is cut into blocks of equal size, and a block is known by its age: 0 is the newest. The
// newest ones are always read, an older one with a probability that follows how many candidates
// blocks of its age have deleted so far. Now and then all are read (a calibration): then it is
// known what was useful, and how many a sample would have missed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace spillway {

struct LocalitySettings {
  std::uint64_t block_rows = 0;   // 0: chosen by whoever uses it
  unsigned calibrate_every = 10;  // checks; 1: always all of the file
  unsigned newest = 2;            // blocks that are always read
  double wanted = 0.9;            // of the duplicates that a sample should find
  double least = 0.05;            // probability to read a block of which nothing is known
  std::uint64_t seed = 1;
};

class Locality {
 public:
  explicit Locality(const LocalitySettings& settings)
      : settings_(settings), random_(settings.seed) {}

  struct Slice {
    std::uint64_t first;
    std::uint64_t last;
    std::size_t age;
    bool sampled;  // would be read if this were no calibration
  };
  // What to read of a file of so many rows, the newest first; `all`: a calibration, and it is one
  // when it is due.
  std::vector<Slice> choose(std::uint64_t rows, bool all);
  bool calibrating() const { return calibrating_; }  // in the check that was begun last

  // So many candidates were deleted by a slice.
  void deleted(const Slice& slice, std::uint64_t candidates);
  void end_check();

 private:
  double probability(std::size_t age) const;

  const LocalitySettings settings_;
  std::mt19937_64 random_;
  std::vector<double> hits_;  // of each age, decaying
  double rate_ = 1;           // the probability to read a block with an average number of hits
  std::uint64_t checks_ = 0;
  bool calibrating_ = false;
  std::uint64_t deleted_ = 0;  // in this check
  std::uint64_t deleted_by_sample_ = 0;
};

}  // namespace spillway
