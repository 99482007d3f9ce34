// Numbers for the states of a search, in the order of their rows.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "base/claim.h"
#include "base/crew.h"
#include "base/state.h"

namespace spillway {

using StateNumber = std::uint32_t;

// All memory is drawn from the budget; functions that take some throw Error(memory).
class StateNumbers {
 public:
  // REQUIRES: the budget outlives it.
  StateNumbers(Budget& budget, std::size_t words, unsigned workers)
      : budget_(budget), words_(words), parts_(workers) {}

  // Each state once, in any order.
  void add(State state);
  // Numbers them.  To be called after the last add().
  void sort(Crew& crew);

  StateNumber size() const { return static_cast<StateNumber>(sorted_.size()); }
  State row(StateNumber number) const { return {sorted_[number], words_}; }
  // Any thread.
  std::optional<StateNumber> find(State state) const;

 private:
  static constexpr std::uint64_t kRows = 1024;  // of a chunk
  // What one thread sorts.
  struct Part {
    std::vector<Claim> claims;
    std::vector<std::unique_ptr<Word[]>> chunks;
    std::uint64_t count = 0;
    std::vector<const Word*> sorted;
  };
  void sort(Part& part) const;
  void merge();
  void index(Crew& crew);

  Budget& budget_;
  const std::size_t words_;
  std::vector<Part> parts_;
  std::uint64_t added_ = 0;
  Claim claim_;
  std::vector<const Word*> sorted_;
  // Number + 1, at the place of its hash or after it; 0: free.
  std::vector<std::atomic<StateNumber>> index_;
};

}  // namespace spillway
