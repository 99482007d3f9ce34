#include "papers/states/locality.h"

#include <algorithm>
#include <numeric>

namespace spillway {
namespace {

constexpr double kDecay = 0.5;  // of hits, from one calibration to the next

}  // namespace

double Locality::probability(std::size_t age) const {
  if (age < settings_.newest) return 1;
  const double sum = std::accumulate(hits_.begin(), hits_.end(), 0.0);
  if (sum == 0 || age >= hits_.size()) return settings_.least;
  return std::min(1.0, rate_ * hits_[age] * static_cast<double>(hits_.size()) / sum);
}

std::vector<Locality::Slice> Locality::choose(std::uint64_t rows, bool all) {
  calibrating_ = all || checks_ % settings_.calibrate_every == 0;
  ++checks_;
  deleted_ = deleted_by_sample_ = 0;
  const std::uint64_t size = std::max<std::uint64_t>(1, settings_.block_rows);
  const std::uint64_t blocks = (rows + size - 1) / size;
  hits_.resize(blocks);
  std::vector<Slice> slices;
  for (std::uint64_t age = 0; age < blocks; ++age) {
    const std::uint64_t first = (blocks - 1 - age) * size;
    const bool sampled = std::uniform_real_distribution<>()(random_) < probability(age);
    if (sampled || calibrating_)
      slices.push_back({first, std::min(rows, first + size), age, sampled});
  }
  if (calibrating_)
    for (double& hits : hits_) hits *= kDecay;
  return slices;
}

void Locality::deleted(const Slice& slice, std::uint64_t candidates) {
  deleted_ += candidates;
  if (slice.sampled) deleted_by_sample_ += candidates;
  if (calibrating_) hits_[slice.age] += static_cast<double>(candidates);
}

void Locality::end_check() {
  if (!calibrating_ || deleted_ == 0) return;
  const bool enough =
      static_cast<double>(deleted_by_sample_) >= settings_.wanted * static_cast<double>(deleted_);
  rate_ = enough ? std::max(rate_ / 1.25, settings_.least) : std::min(rate_ * 1.5, 1e6);
}

}  // namespace spillway
