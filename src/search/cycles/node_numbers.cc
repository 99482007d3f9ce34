#include "search/cycles/node_numbers.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::uint64_t kPartRows = 1 << 14;

// Calls task(i) for i < count, on all threads if there is enough to do.
template <class Task>
void each_part(Crew& crew, std::size_t count, Task task) {
  if (count <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  crew.each([&](unsigned) {
    for (std::size_t i = next++; i < count; i = next++) task(i);
  });
}

}  // namespace

void NodeNumbers::add_level(Crew& crew, const std::vector<RowPool::Segment>& segments) {
  need_pages(segments);
  std::vector<std::vector<Portion>> tasks(1);  // so much for a thread to take, not less
  std::uint64_t rows = 0;
  for (const RowPool::Segment& segment : segments) {
    for (std::uint64_t from = 0; from < segment.count; from += kPartRows) {
      if (rows >= kPartRows) {
        tasks.emplace_back();
        rows = 0;
      }
      const std::uint64_t count = std::min(kPartRows, segment.count - from);
      tasks.back().push_back({{segment.first + from, count}, 0});
      rows += count;
    }
  }
  each_part(crew, tasks.size(), [&](std::size_t i) {
    for (Portion& part : tasks[i]) part.nodes = mark(part.rows);
  });
  std::uint64_t nodes = size();
  for (std::vector<Portion>& task : tasks)
    for (Portion& part : task) nodes += std::exchange(part.nodes, nodes);
  if (nodes >= kNone)
    throw Error(Fault::memory, "there are too many states to decide acceptance in memory");
  each_part(crew, tasks.size(), [&](std::size_t i) {
    for (const Portion& part : tasks[i]) number(part.rows, static_cast<std::uint32_t>(part.nodes));
  });
  ends_.push_back(nodes);
}

void NodeNumbers::need_pages(const std::vector<RowPool::Segment>& segments) {
  std::uint64_t end = 0;
  for (const RowPool::Segment& segment : segments)
    end = std::max(end, segment.first + segment.count);
  if (end >= kNone)
    throw Error(Fault::memory, "there are too many states to decide acceptance in memory");
  while (pages_.size() * kPage < end) {
    claims_.emplace_back(budget_, kPage * sizeof(std::uint32_t));
    pages_.push_back(std::make_unique<std::uint32_t[]>(kPage));
    std::fill_n(pages_.back().get(), kPage, kNone);
  }
}

std::uint64_t NodeNumbers::mark(RowPool::Segment rows) {
  std::uint64_t nodes = 0;
  std::vector<Word> whole;
  for (std::uint64_t row = rows.first; row < rows.first + rows.count; ++row) {
    const bool is_node = acceptance_.part(visited_.row(row, whole)) != Acceptance::kNoPart;
    pages_[row / kPage][row % kPage] = is_node ? 0 : kNone;
    nodes += is_node ? 1 : 0;
  }
  return nodes;
}

void NodeNumbers::number(RowPool::Segment rows, std::uint32_t first) {
  for (std::uint64_t row = rows.first; row < rows.first + rows.count; ++row) {
    std::uint32_t& node = pages_[row / kPage][row % kPage];
    if (node != kNone) node = first++;
  }
}

std::uint64_t NodeNumbers::level(Node node) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, node) - ends_.begin());
}

std::vector<std::uint32_t> NodeNumbers::rows(std::uint64_t count, Claim& claim) const {
  claim = Claim(budget_, count * sizeof(std::uint32_t));
  std::vector<std::uint32_t> all(count);
  for (std::size_t page = 0; page < pages_.size(); ++page)
    for (std::size_t i = 0; i < kPage; ++i)
      if (const std::uint32_t node = pages_[page][i]; node < count)
        all[node] = static_cast<std::uint32_t>(page * kPage + i);
  return all;
}

}  // namespace spillway
