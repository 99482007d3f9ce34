#include "passes/least_prefix.h"

#include <algorithm>
#include <utility>

namespace spillway {

std::vector<Rank> stem_to(Rank node, const Edges& edges, const std::vector<Rank>& ends) {
  std::vector<Rank> stem;
  EdgeBlock block;
  std::optional<std::size_t> unpacked;
  const auto leads_to_node = [&](Rank from) {
    if (unpacked != edges.block_of(from)) {
      unpacked = edges.block_of(from);
      edges.unpack(*unpacked, block);
    }
    return std::ranges::binary_search(block.targets(from - block.first()), node);
  };
  for (auto level = std::ranges::upper_bound(ends, node); level != ends.begin(); --level) {
    Rank from = level - 1 == ends.begin() ? 0 : *(level - 2);
    while (!leads_to_node(from)) ++from;
    stem.push_back(node = from);
  }
  std::ranges::reverse(stem);
  return stem;
}

LeastPrefix::LeastPrefix(const Edges& edges, const AcceptanceSets& sets,
                         const std::vector<Rank>& ends, Budget& budget, Crew& crew,
                         Settings settings)
    : edges_(edges),
      sets_(sets),
      ends_(ends),
      budget_(budget),
      crew_(crew),
      settings_(std::move(settings)),
      set_(budget, edges.nodes()) {}

std::optional<AcceptingCycle> LeastPrefix::find() {
  if (!has_cycle(ends_.size())) return std::nullopt;
  std::uint64_t without = 0;  // levels of a prefix that has none
  std::uint64_t with = ends_.size();
  while (with - without > 1) {
    const std::uint64_t middle = without + (with - without) / 2;
    (has_cycle(middle) ? with : without) = middle;
  }
  has_cycle(with);
  if (!least_) least_ = least_on_accepting_cycle(edges_, set_, sets_, budget_, settings_.poll);
  return AcceptingCycle{
      with, *least_,
      shortest_accepting_cycle(edges_, set_, sets_, *least_, budget_, settings_.poll)};
}

bool LeastPrefix::has_cycle(std::uint64_t levels) {
  ++checks_;
  least_.reset();
  set_.fill(ends_[levels - 1]);
  const bool settled = trim(
      edges_, set_, budget_, crew_, settings_.most_passes, [&](std::uint64_t) { settings_.poll(); },
      counts_);
  if (!meets_all_sets()) return false;
  if (settled && is_within_all_sets()) return true;
  least_ = least_on_accepting_cycle(edges_, set_, sets_, budget_, settings_.poll);
  return least_.has_value();
}

// No cycle within the set can be accepting otherwise.
bool LeastPrefix::meets_all_sets() const {
  return set_.next(0) < set_.size() &&
         std::ranges::all_of(sets_, [&](const BitVector& one) { return set_.meets(one); });
}

// Then every cycle within the set is accepting.
bool LeastPrefix::is_within_all_sets() const {
  return std::ranges::all_of(sets_, [&](const BitVector& one) { return set_.is_within(one); });
}

}  // namespace spillway
