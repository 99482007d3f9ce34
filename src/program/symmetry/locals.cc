#include "program/symmetry/locals.h"

#include <algorithm>

namespace spillway::program {
namespace {

template <class Entry>
void insert(std::vector<Entry>& all, Entry one) {
  const auto place = std::lower_bound(all.begin(), all.end(), one,
                                      [](auto& a, auto& b) { return a.first < b.first; });
  all.insert(place, one);
}

}  // namespace

std::optional<Meaning> Content::scalar() const {
  if (values.size() != 1 || !values[0].first.empty()) return std::nullopt;
  return values[0].second;
}

std::optional<bool> Content::truth() const {
  const auto value = scalar();
  if (!value || value->is != Meaning::Is::literal) return std::nullopt;
  return value->number != 0;
}

void Flow::join(const Flow& other) {
  if (!other.reached) return;
  if (!reached) {
    *this = other;
    return;
  }
  auto kept = values.begin();
  auto theirs = other.values.begin();
  for (const auto& one : values) {
    while (theirs != other.values.end() && theirs->first < one.first) ++theirs;
    if (theirs != other.values.end() && *theirs == one) *kept++ = one;
  }
  values.erase(kept, values.end());
  const std::vector<std::pair<LoopNumber, CellNumber>> mine = std::move(left_overs);
  left_overs.clear();
  std::set_union(mine.begin(), mine.end(), other.left_overs.begin(), other.left_overs.end(),
                 std::back_inserter(left_overs));
}

CellNumber Locals::number(const Path& cell) {
  const auto [place, fresh] = numbers_.try_emplace(cell, 0);
  if (!fresh) return place->second;
  if (free_.empty()) {
    free_.push_back(static_cast<CellNumber>(cells_.size()));
    cells_.emplace_back();
  }
  place->second = free_.back();
  free_.pop_back();
  cells_[place->second] = cell;
  return place->second;
}

Content Locals::at(const Path& path) const {
  Content content;
  if (path.in_state || !is_exact(path)) return content;
  for (const auto& [number, value] : now.values) {
    const Path& cell = cells_[number];
    if (!covers(path, cell)) continue;
    const auto rest = cell.parts.begin() + static_cast<std::ptrdiff_t>(path.parts.size());
    content.values.emplace_back(std::vector<PathPart>(rest, cell.parts.end()), value);
  }
  return content;
}

void Locals::spoil(const Path& path) {
  if (path.in_state) return;
  std::erase_if(now.values,
                [&](const auto& one) { return overlap(cells_[one.first], path, kNoSymbol); });
}

void Locals::replace(const Path& path, const Content& content) {
  if (path.in_state) return;
  spoil(path);
  if (!is_exact(path)) return;
  std::erase_if(now.left_overs, [&](const auto& one) { return covers(path, cells_[one.second]); });
  for (const auto& [rest, value] : content.values) {
    Path cell = path;
    cell.parts.insert(cell.parts.end(), rest.begin(), rest.end());
    insert(now.values, {number(cell), value});
  }
}

void Locals::leave_over(LoopNumber loop, const Path& cell) {
  const std::pair one(loop, number(cell));
  const auto place = std::lower_bound(now.left_overs.begin(), now.left_overs.end(), one);
  if (place == now.left_overs.end() || *place != one) now.left_overs.insert(place, one);
}

std::vector<std::pair<LoopNumber, Path>> Locals::left_over(const Path& path) const {
  std::vector<std::pair<LoopNumber, Path>> found;
  for (const auto& [loop, cell] : now.left_overs)
    if (overlap(cells_[cell], path, kNoSymbol)) found.emplace_back(loop, cells_[cell]);
  return found;
}

void Locals::forget_loop(LoopNumber loop) {
  std::erase_if(now.left_overs, [&](const auto& one) { return one.first == loop; });
}

void Locals::forget(std::uint32_t call) {
  const auto belongs = [&](CellNumber cell) { return cells_[cell].call == call; };
  std::erase_if(now.values, [&](const auto& one) { return belongs(one.first); });
  std::erase_if(now.left_overs, [&](const auto& one) { return belongs(one.second); });
  const auto first = numbers_.lower_bound({false, call, 0, {}});
  const auto last = numbers_.lower_bound({false, call + 1, 0, {}});
  for (auto one = first; one != last; ++one) free_.push_back(one->second);
  numbers_.erase(first, last);
}

}  // namespace spillway::program
