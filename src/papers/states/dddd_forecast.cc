#include "papers/states/dddd_forecast.h"

#include <algorithm>
#include <cmath>

namespace spillway {
namespace {

constexpr double kAlphaPlus = 0.7;
constexpr double kAlphaMinus = 0.2;
constexpr double kEpsilon = 0.01;
constexpr double kBeta = 0.02;

}  // namespace

bool Forecast::delaying(double candidates, double stored, double degree) const {
  const double visit = costs_.ec + (costs_.rc + costs_.wc) * (2 + degree);
  return stored * costs_.rc > duplicates(candidates) * visit;
}

double Forecast::duplicates(double candidates) const {
  double sum = 0;
  for (std::size_t i = 1; i <= R_.size() + 1; ++i) {
    const double R = i <= R_.size() ? R_[i - 1] : candidates;
    sum += correction(i) * std::max(0.0, R - level(i));
  }
  return sum;
}

double Forecast::level(std::size_t i) const {
  double size = L_;
  double rate = lpr_;
  for (std::size_t j = 0; j < i; ++j) size *= rate = next_rate(rate);
  return size;
}

double Forecast::next_rate(double lpr) {
  if (lpr >= 1) return lpr * std::pow(lpr + kEpsilon, -kAlphaPlus);
  return lpr * std::pow(std::max(lpr - kEpsilon, 1e-6), kAlphaMinus);
}

double Forecast::correction(std::size_t i) {
  return std::pow(1 + kBeta, static_cast<double>(i) - 1);
}

void Forecast::measure(const std::vector<std::uint64_t>& sizes) {
  double forecast = 0;
  double real = 0;
  for (std::size_t i = 1; i <= sizes.size(); ++i) {
    forecast += ready() ? level(i) : static_cast<double>(sizes[i - 1]);
    real += static_cast<double>(sizes[i - 1]);
  }
  difference_ += std::abs(forecast - real);
  measured_states_ += real;
  for (const std::uint64_t size : sizes) {
    lpr_ = measured_++ > 0 && L_ > 0 ? static_cast<double>(size) / L_ : 1;
    L_ = static_cast<double>(size);
  }
  R_.clear();
}

}  // namespace spillway
