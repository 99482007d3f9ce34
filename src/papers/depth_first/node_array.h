// A value for each node of a graph that grows while many threads work on it.
//
// Values are zero at first.  Memory is drawn from the budget page by page, when a node of a page is
// touched for the first time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/memory/budget.h"

namespace spillway {

template <class T>
class NodeArray {
 public:
  // REQUIRES: nodes have numbers below `most`, and the budget outlives it.
  NodeArray(Budget& budget, std::uint64_t most) : budget_(budget), pages_(most / kPage + 1) {}
  ~NodeArray() {
    for (std::atomic<T*>& page : pages_)
      if (T* const values = page.load(); values != nullptr) {
        delete[] values;
        budget_.give_back(kPage * sizeof(T));
      }
  }
  NodeArray(const NodeArray&) = delete;
  NodeArray& operator=(const NodeArray&) = delete;

  // Any thread.  Throws Error(memory).
  T& operator[](std::uint64_t node) {
    T* const page = pages_[node / kPage].load(std::memory_order_acquire);
    return (page != nullptr ? page : make(pages_[node / kPage]))[node % kPage];
  }

 private:
  static constexpr std::uint64_t kPage = 1 << 12;

  T* make(std::atomic<T*>& page) {
    if (!budget_.draw(kPage * sizeof(T)))
      throw Error(Fault::memory, "there is no more memory for the states of the search");
    auto made = std::make_unique<T[]>(kPage);
    T* there = nullptr;
    if (page.compare_exchange_strong(there, made.get())) return made.release();
    budget_.give_back(kPage * sizeof(T));
    return there;
  }

  Budget& budget_;
  std::vector<std::atomic<T*>> pages_;
};

}  // namespace spillway
