#include "storage/runs/team_merge.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>

namespace spillway {
namespace {

// What a thread does to the merged rows before it writes them.  Each takes some rows, above all
// that it had before, and returns how many of them remain.

struct KeepAll {
  std::size_t operator()(Word* /*rows*/, std::size_t count) { return count; }
};

// Removes the rows that are in one of some runs.
template <std::size_t W>
class Subtract {
 public:
  Subtract(const RunViews<W>& runs, BlockUnpacker<W>& unpacker, ReadAhead& ahead) : ahead_(&ahead) {
    sieves_.reserve(runs.size());
    for (const SortedRun<W>* run : runs) sieves_.emplace_back(*run, unpacker, ahead);
  }

  std::size_t operator()(Word* rows, std::size_t count) {
    for (std::size_t i = 0; i < sieves_.size(); ++i) {
      for (std::size_t next = i; next < sieves_.size() && !ahead_->full(); ++next)
        sieves_[next].expect(rows, count);
      count = sieves_[i].sieve(rows, count, i + 1 < sieves_.size() ? &sieves_[i + 1] : nullptr);
    }
    return count;
  }

 private:
  const ReadAhead* ahead_;
  std::vector<RunSieve<W>> sieves_;
};

// Merges one part of the sources, from `from` on and below `to`.  make_sift(member, ahead)
// returns what is done to the rows.
template <std::size_t W, class MakeSift>
SortedRun<W> merge_part(Team<W>& team, typename Team<W>::Member& member,
                        const MergeSources<W>& sources, const Word* from, const Word* to,
                        const MakeSift& make_sift, MergeObserver* observer, MarkWriter* marks,
                        const MarkedMerge* marked) {
  const std::size_t words = team.shape().words;
  ChunkStore& store = team.store();
  ReadAhead ahead(store.buffers(), team.sizes().chunks_ahead);
  const std::size_t room = RowMerge<W>::room(sources, team.sizes().merge_rows);
  auto sift = make_sift(member, ahead);
  const bool roomy = room * words > member.rows.size();  // more than the member has
  const Claim claim(store.budget(), roomy ? room * RowMerge<W>::row_bytes(words) : 0);
  std::vector<Word> more_rows(roomy ? room * words : 0);
  std::optional<RowSorter> more_sorter;
  if (roomy) more_sorter.emplace(words);
  RowSorter& sorter = roomy ? *more_sorter : member.sorter;
  Word* const rows = roomy ? more_rows.data() : member.rows.data();
  using Share = typename RowMerge<W>::Share;
  constexpr bool kSiftReads = !std::is_same_v<decltype(sift), KeepAll>;
  RowMerge<W> merge(sources, member.unpacker, ahead, words, from, to,
                    kSiftReads ? Share::little : Share::all);
  RunWriter<W> writer(store, member.packer, observer != nullptr ? observer->blocks() : nullptr);
  std::vector<std::uint8_t> more_marks(roomy ? room : 0);
  std::uint8_t* const of_rows = roomy ? more_marks.data() : member.marks.data();
  const auto next = [&] {
    if (marks == nullptr) return merge.next(sorter, rows, room);
    const std::size_t count =
        merge.next(sorter, rows, room, {marked->marks(), marked->bits(), of_rows});
    marks->add({of_rows, count});
    return count;
  };
  while (std::size_t count = next()) {
    count = sift(rows, count);
    team.poll(member);
    writer.add(rows, count);
    if (observer != nullptr) observer->rows(member.number, {rows, count, words});
  }
  if (observer != nullptr) observer->end_part(member.number);
  return writer.finish();
}

// `bytes`: what a thread needs.
template <std::size_t W, class MakeSift>
SortedRun<W> merge_parts(Team<W>& team, const MergeSources<W>& sources, std::uint64_t bytes,
                         const MakeSift& make_sift, MergeObserver* observer,
                         MarkedMerge* marked = nullptr) {
  const std::uint64_t rows = sources.rows();
  const auto cuts = sources.cuts(team.parts(rows), team.shape().words);
  std::vector<SortedRun<W>> parts;
  for (std::size_t i = 0; i <= cuts.size(); ++i)
    parts.emplace_back(team.store().budget(), team.shape());
  if (marked != nullptr) marked->begin(parts.size());
  const auto merge_one = [&](typename Team<W>::Member& member, std::size_t i) {
    const std::unique_ptr<MarkWriter> marks = marked != nullptr ? marked->writer() : nullptr;
    parts[i] = merge_part(team, member, sources, i == 0 ? nullptr : cuts[i - 1].data(),
                          i == cuts.size() ? nullptr : cuts[i].data(), make_sift, observer,
                          marks.get(), marked);
    if (marked != nullptr) marked->set(i, marks->finish());
  };
  team.share_out(parts.size(), rows, merge_one, team.threads_with(bytes));
  return joined(parts);
}

}  // namespace

template <std::size_t W>
SortedRun<W> merge_runs(Team<W>& team, const MergeSources<W>& sources, MarkedMerge* marks) {
  const auto keep_all = [](auto& /*member*/, ReadAhead& /*ahead*/) { return KeepAll(); };
  return merge_parts(team, sources, bytes_to_merge(team, sources), keep_all, nullptr, marks);
}

template <std::size_t W>
SortedRun<W> subtract_runs(Team<W>& team, const MergeSources<W>& sources, const RunViews<W>& runs,
                           MergeObserver* observer) {
  const auto subtract = [&](auto& member, ReadAhead& ahead) {
    return Subtract<W>(runs, member.unpacker, ahead);
  };
  return merge_parts(team, sources, bytes_to_subtract(team, sources, runs), subtract, observer);
}

template <std::size_t W>
std::uint64_t bytes_to_merge(const Team<W>& team, const MergeSources<W>& sources) {
  const std::size_t buffer = team.store().buffers().bytes();
  std::uint64_t bytes = team.writer_bytes() + team.ahead_bytes();
  for (const SortedRun<W>* source : sources.runs)
    bytes += RunReader<W>::bytes(source->shape()) + (source->on_disk() ? buffer : 0);
  const std::size_t room = RowMerge<W>::room(sources, team.sizes().merge_rows);
  if (room > team.sizes().merge_rows) bytes += room * RowMerge<W>::row_bytes(team.shape().words);
  return bytes;
}

template <std::size_t W>
std::uint64_t bytes_to_subtract(const Team<W>& team, const MergeSources<W>& sources,
                                const RunViews<W>& runs) {
  std::uint64_t bytes = bytes_to_merge(team, sources);
  for (const SortedRun<W>* run : runs) bytes += run->on_disk() ? team.store().buffers().bytes() : 0;
  return bytes;
}

template <std::size_t W>
std::size_t runs_at_once(const Team<W>& team) {
  const std::uint64_t besides = team.writer_bytes() + team.ahead_bytes();
  const std::uint64_t of_one = RowMerge<W>::bytes(team.store().buffers().bytes(), team.shape(), 1);
  const std::uint64_t certain = team.certain_bytes();
  return std::max<std::uint64_t>(2, certain > besides ? (certain - besides) / of_one : 0);
}

namespace {

template <std::size_t W>
SortedRun<W> merge_and_remember(Team<W>& team, const MergeSources<W>& sources,
                                MergeHistory* history) {
  if (history == nullptr || sources.runs.empty()) return merge_runs(team, sources);
  std::vector<MarkedMerge::Source> of_runs;
  for (const SortedRun<W>* run : sources.runs) of_runs.push_back({run->label(), run->size()});
  std::unique_ptr<MarkedMerge> marked = history->begin(of_runs);
  SortedRun<W> together = merge_runs(team, sources, marked.get());
  together.set_label(marked ? history->add(std::move(marked)) : of_runs[0].label);
  return together;
}

}  // namespace

template <std::size_t W>
void merge_smallest(Team<W>& team, std::vector<SortedRun<W>>& runs, std::size_t most,
                    Sources sources, MergeHistory* history) {
  while (runs.size() > most) {
    std::stable_sort(runs.begin(), runs.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::size_t some = std::min(runs.size() - most + 1, runs_at_once(team));
    if (history != nullptr) some = std::min(some, MarkedMerge::kMostSources);
    MergeSources<W> smallest;
    for (std::size_t i = runs.size() - some; i < runs.size(); ++i) {
      if (runs[i].size() == 0) continue;
      smallest.runs.push_back(&runs[i]);
      if (sources == Sources::spent) smallest.spent.push_back(&runs[i]);
    }
    SortedRun<W> together = merge_and_remember(team, smallest, history);
    for (std::size_t i = 0; i < some; ++i) runs.pop_back();
    runs.push_back(std::move(together));
  }
}

#define SPILLWAY_WIDTH(W)                                                                   \
  template SortedRun<W> merge_runs(Team<W>&, const MergeSources<W>&, MarkedMerge*);         \
  template SortedRun<W> subtract_runs(Team<W>&, const MergeSources<W>&, const RunViews<W>&, \
                                      MergeObserver*);                                      \
  template std::uint64_t bytes_to_merge(const Team<W>&, const MergeSources<W>&);            \
  template std::uint64_t bytes_to_subtract(const Team<W>&, const MergeSources<W>&,          \
                                           const RunViews<W>&);                             \
  template std::size_t runs_at_once(const Team<W>&);                                        \
  template void merge_smallest(Team<W>&, std::vector<SortedRun<W>>&, std::size_t, Sources,  \
                               MergeHistory*);
SPILLWAY_FOR_WIDTHS(SPILLWAY_WIDTH)
#undef SPILLWAY_WIDTH

}  // namespace spillway
