#include "check/session/findings.h"

#include <algorithm>
#include <utility>

namespace spillway {
namespace {

bool is_before(const Finding& a, const Finding& b) {
  return std::pair(a.kind, a.property) < std::pair(b.kind, b.property);
}

bool is_better(const Finding& a, const Finding& b) {
  return a.depth != b.depth ? a.depth < b.depth : less(a.row, b.row);
}

}  // namespace

void Findings::add(Finding finding) {
  const std::lock_guard lock(mutex_);
  const auto place = std::lower_bound(all_.begin(), all_.end(), finding, is_before);
  if (place == all_.end() || is_before(finding, *place))
    all_.insert(place, std::move(finding));
  else if (is_better(finding, *place))
    *place = std::move(finding);
  count_.store(all_.size(), std::memory_order_relaxed);
}

void Findings::merge(const Findings& others) {
  for (const Finding& finding : others.all()) add(finding);
}

void Findings::settle() {
  if (settled_.size() == all_.size()) return;
  settled_.clear();
  for (const Finding& finding : all_) settled_.emplace_back(finding.kind, finding.property);
}

bool Findings::is_settled(PropertyKind kind, PropertyIndex property) const {
  return std::ranges::binary_search(settled_, Key(kind, property));
}

}  // namespace spillway
