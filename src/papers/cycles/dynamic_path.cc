#include "papers/cycles/dynamic_path.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {

DynamicPath::DynamicPath(Store& store, std::uint64_t room, double rho)
    : shape_(store.shape()),
      room_(std::max<std::uint64_t>(room, 1)),
      rho_(rho),
      pages_(Pages::need(store.budget(), room_ * shape_.bytes())),
      rows_(reinterpret_cast<Word*>(pages_.data())),
      on_disk_{StateStack(store, "outer"), StateStack(store, "inner")} {}

void DynamicPath::push(Stack stack, State key, Word note) {
  if (in_memory_[outer] + in_memory_[inner] == room_) spill();
  Word* const place = row(stack, in_memory_[stack]++);
  std::ranges::copy(key, place);
  place[shape_.key] = note;
  counts_.deepest = std::max(counts_.deepest, size(stack));
}

std::span<Word> DynamicPath::top(Stack stack) {
  if (in_memory_[stack] == 0) reload(stack);
  return {row(stack, in_memory_[stack] - 1), shape_.words()};
}

void DynamicPath::pop(Stack stack) {
  if (in_memory_[stack] == 0) reload(stack);
  --in_memory_[stack];
}

// Both stacks, by their shares; at least one entry goes.
void DynamicPath::spill() {
  const std::uint64_t outer_share = share(in_memory_[outer]),
                      inner_share = share(in_memory_[inner]);
  if (outer_share + inner_share != 0) {
    spill(outer, outer_share);
    spill(inner, inner_share);
  } else {
    spill(in_memory_[outer] >= in_memory_[inner] ? outer : inner, 1);
  }
}

void DynamicPath::spill(Stack stack, std::uint64_t count) {
  if (count == 0) return;
  for (std::uint64_t i = 0; i < count; ++i) on_disk_[stack].push({row(stack, i), shape_.words()});
  for (std::uint64_t i = count; i < in_memory_[stack]; ++i)
    std::copy_n(row(stack, i), shape_.words(), row(stack, i - count));
  in_memory_[stack] -= count;
  has_spilled_ = true;
  ++counts_.spills;
  counts_.moved += count;
}

void DynamicPath::reload(Stack stack) {
  const Stack other = stack == outer ? inner : outer;
  SPILLWAY_CHECK(!on_disk_[stack].empty());
  if (in_memory_[other] == room_) spill(other, std::max<std::uint64_t>(1, share(room_)));
  const std::uint64_t room = room_ - in_memory_[other];
  std::uint64_t count = has_spilled_ ? std::min(share(room), room / 2) : share(room);
  count = std::clamp<std::uint64_t>(count, 1, on_disk_[stack].size());
  for (std::uint64_t i = count; i-- > 0; on_disk_[stack].pop())
    std::ranges::copy(on_disk_[stack].top(), row(stack, i));
  in_memory_[stack] = count;
  has_spilled_ = false;
  ++counts_.reloads;
  counts_.moved += count;
}

std::vector<std::vector<Word>> DynamicPath::take(Stack stack) {
  std::vector<std::vector<Word>> all;
  for (; !empty(stack); pop(stack)) {
    const std::span<Word> last = top(stack);
    all.emplace_back(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(shape_.key));
  }
  std::ranges::reverse(all);
  return all;
}

}  // namespace spillway
