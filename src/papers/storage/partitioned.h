// One T for each partition of the store: Partitioned<StateFile>, Partitioned<StateQueue>.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "papers/storage/store.h"

namespace spillway {

// REQUIRES of T: T(Store&), and drain(take), which calls take(State) for all rows in order and
// leaves T empty.  A function insert(T&, State) adds a row: see the end of state_file.h and
// state_queue.h.
template <class T>
class Partitioned final : public Splittable {
 public:
  explicit Partitioned(Store& store) : store_(store) {
    for (std::size_t i = 0; i < store.partition().count(); ++i)
      parts_.push_back(std::make_unique<T>(store));
    store.partition().join(*this);
  }
  ~Partitioned() override { store_.partition().leave(*this); }
  Partitioned(const Partitioned&) = delete;
  Partitioned& operator=(const Partitioned&) = delete;

  std::size_t count() const { return parts_.size(); }
  std::size_t of(State state) const { return store_.partition().of(state); }
  T& operator[](State state) { return *parts_[of(state)]; }
  T& operator[](std::size_t i) { return *parts_[i]; }

  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const auto& part : parts_) sum += part->size();
    return sum;
  }

 private:
  void split(std::size_t i, std::size_t fresh) override {
    SPILLWAY_CHECK(fresh == parts_.size());
    const std::unique_ptr<T> old = std::exchange(parts_[i], std::make_unique<T>(store_));
    parts_.push_back(std::make_unique<T>(store_));
    old->drain([&](State state) { insert(*parts_[of(state)], state); });
  }

  Store& store_;
  std::vector<std::unique_ptr<T>> parts_;
};

}  // namespace spillway
