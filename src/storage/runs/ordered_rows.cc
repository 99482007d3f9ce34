#include "storage/runs/ordered_rows.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "storage/runs/crew_sort.h"

namespace spillway {
namespace {

constexpr std::size_t kFewestRows = 64;        // of a sort: fewer would make too many runs
constexpr std::size_t kReadAtOnce = 16 << 10;  // rows, at most

template <std::size_t W>
class Ordered final : public OrderedRows {
 public:
  Ordered(ChunkStore& store, Crew& crew, std::size_t words, std::uint64_t bytes, PollOfThread poll)
      : store_(store),
        crew_(crew),
        bytes_(bytes),
        shape_(shape(words, bytes)),
        poll_(std::move(poll)) {}

  void begin() override {
    if (sort_) return sort_->clear();
    const std::size_t rows = std::max<std::size_t>(
        kFewestRows, bytes_ / 2 / crew_.size() / ExternalSort<W>::bytes(shape_, 1));
    sort_.emplace(store_, shape_, crew_.size(), rows, ExternalSort<W>::kFanIn, poll_);
  }
  void add(unsigned thread, State row) override {
    ExternalSort<W>& sort = sort_->of(thread);
    std::copy(row.begin(), row.end(), sort.place(1));
    sort.keep(1);
  }
  void each(const std::function<void(States)>& visit) override {
    sort_->settle(crew_);
    MergeSources<W> sources;
    sort_->add_to(sources);
    const std::size_t some = std::clamp<std::size_t>(
        bytes_ / 8 / RowMerge<W>::row_bytes(shape_.words), kFewestRows, kReadAtOnce);
    RowSorter sorter(shape_.words);
    merge_all(sources, shape_, store_.buffers(), sorter,
              [&](const Word* rows, std::size_t count) {
                visit({rows, count, shape_.words});
              },
              {.at_least = some});
  }
  void end() override { sort_.reset(); }

 private:
  ChunkStore& store_;
  Crew& crew_;
  const std::uint64_t bytes_;
  const BlockShape shape_;
  const PollOfThread poll_;
  std::optional<CrewSort<W>> sort_;
};

}  // namespace

BlockShape OrderedRows::shape(std::size_t words, std::uint64_t bytes) {
  return BlockShape::of(words, bytes / 256);
}

std::unique_ptr<OrderedRows> OrderedRows::make(ChunkStore& store, Crew& crew, std::size_t words,
                                               std::uint64_t bytes, PollOfThread poll) {
  return with_width(words, [&](auto width) -> std::unique_ptr<OrderedRows> {
    return std::make_unique<Ordered<width()>>(store, crew, words, bytes, poll);
  });
}

}  // namespace spillway
