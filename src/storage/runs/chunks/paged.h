// A list that grows with the states of a search.  Its pages are drawn from the budget, and growing
// never copies elements.
//
// A growing std::vector would briefly hold its elements twice, uncounted.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory/claim.h"

namespace spillway {

template <class T, std::size_t kOfPage>
class Paged {
 public:
  // REQUIRES: the budget outlives it.
  explicit Paged(Budget& budget) : budget_(&budget) {}
  Paged(Paged&& other) noexcept
      : budget_(other.budget_),
        pages_(std::move(other.pages_)),
        size_(std::exchange(other.size_, 0)) {
    other.pages_.clear();
  }
  Paged& operator=(Paged&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(pages_, other.pages_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Paged() { clear(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // References stay valid until clear().
  T& operator[](std::size_t i) { return *(page(i) + i % kOfPage); }
  const T& operator[](std::size_t i) const { return *(page(i) + i % kOfPage); }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  // Throws Error(memory) if the budget refuses a page.
  void push_back(T element) {
    if (size_ == pages_.size() * kOfPage) pages_.push_back(std::make_unique<Page>(*budget_));
    new (page(size_) + size_ % kOfPage) T(std::move(element));
    ++size_;
  }

  void clear() {
    for (std::size_t i = 0; i < size_; ++i) (*this)[i].~T();
    size_ = 0;
    pages_.clear();
  }

 private:
  struct Page {
    explicit Page(Budget& budget) : claim(budget, sizeof(Page) + kBesides) {}
    Claim claim;
    alignas(T) std::byte elements[kOfPage * sizeof(T)];
  };
  static constexpr std::size_t kBesides = 32;  // overhead of the heap and of the list of pages

  T* page(std::size_t i) const {
    return std::launder(
        reinterpret_cast<T*>(const_cast<std::byte*>(pages_[i / kOfPage]->elements)));
  }

  Budget* budget_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t size_ = 0;
};

}  // namespace spillway
