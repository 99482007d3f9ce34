#include "papers/storage/partition.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

Partition::Partition(std::size_t key, std::size_t parts)
    : key_(key), roots_(parts), count_(parts), nodes_(parts) {
  SPILLWAY_CHECK(parts > 0);
  for (std::size_t i = 0; i < parts; ++i) nodes_[i].part = i;
}

void Partition::split(std::size_t i) {
  const auto leaf = std::ranges::find_if(
      nodes_, [&](const Node& node) { return node.children == 0 && node.part == i; });
  SPILLWAY_CHECK(leaf != nodes_.end());
  const unsigned depth = leaf->depth + 1;
  // The upper bits of the hash choose the root, so not all 64 tell states below it apart.
  if (depth > 40)
    throw Error(Fault::usage, "a partition cannot be split any further; raise --memory");
  const std::size_t fresh = count_++;
  leaf->children = nodes_.size();
  nodes_.push_back({0, i, depth});
  nodes_.push_back({0, fresh, depth});
  for (Splittable* kept : kept_) kept->split(i, fresh);
}

void Partition::leave(Splittable& kept) { std::erase(kept_, &kept); }

}  // namespace spillway
