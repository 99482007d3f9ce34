// A share of a budget that stands for heap memory.  It is returned on destruction.
#pragma once

#include <cstdint>
#include <utility>

#include "base/memory/budget.h"

namespace spillway {

class Claim {
 public:
  Claim() = default;
  // Throws Error(memory) if the budget refuses.
  Claim(Budget& budget, std::uint64_t bytes);
  Claim(Claim&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Claim& operator=(Claim&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Claim() {
    if (budget_ != nullptr) budget_->give_back(bytes_);
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  Budget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace spillway
