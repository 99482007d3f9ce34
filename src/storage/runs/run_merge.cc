#include "storage/runs/run_merge.h"

#include <algorithm>

namespace spillway {
namespace {

constexpr std::size_t kSamples = 1024;  // of a source

}  // namespace

template <std::size_t W>
std::uint64_t MergeSources<W>::rows() const {
  std::uint64_t all = 0;
  for (const SortedRun<W>* run : runs) all += run->size();
  for (const States& array : arrays) all += array.size();
  return all;
}

template <std::size_t W>
std::vector<std::vector<Word>> MergeSources<W>::cuts(std::size_t parts, std::size_t words) const {
  struct Sample {
    const SortedRun<W>* run;  // nothing: an array
    std::size_t chunk;
    const Word* row;
    std::uint64_t rows;  // that it stands for
  };
  if (parts < 2) return {};
  const std::size_t most = std::max<std::size_t>(2, std::min(kSamples, 64 * parts));
  std::vector<Sample> samples;
  for (const SortedRun<W>* run : runs) {
    const std::size_t step = run->index().size() / most + 1;
    for (std::size_t i = 0; i < run->index().size(); i += step)
      samples.push_back({run, i, nullptr, run->index().blocks_in(i) * step * run->shape().rows});
  }
  for (const States& array : arrays) {
    const std::size_t step = array.size() / most + 1;
    for (std::size_t i = 0; i < array.size(); i += step)
      samples.push_back({nullptr, 0, array[i].data(), step});
  }
  const Width<W> width(words);
  std::vector<Word> row_a(words);
  std::vector<Word> row_b(words);
  const auto row_of = [&](const Sample& sample, std::vector<Word>& row) -> const Word* {
    if (sample.run == nullptr) return sample.row;
    sample.run->index().edge(sample.chunk, row.data());
    return row.data();
  };
  std::sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
    return below(row_of(a, row_a), row_of(b, row_b), width);
  });
  std::uint64_t all = 0;
  for (const Sample& sample : samples) all += sample.rows;
  std::vector<std::vector<Word>> result;
  // The last part has one share, each part before it one more.
  const std::uint64_t shares = parts * (parts + 1) / 2;
  std::uint64_t wanted = parts;  // shares up to the next cut
  std::uint64_t passed = 0;
  std::vector<Word> before(words);  // where runs begin counts as zeros: nothing is below
  for (const Sample& sample : samples) {
    const Word* const row = row_of(sample, row_a);
    const bool fresh = !same(before.data(), row, width);
    if (passed != 0 && fresh && passed * shares >= all * wanted && result.size() + 1 < parts) {
      result.emplace_back(row, row + words);
      wanted += parts - result.size();
    }
    passed += sample.rows;
    before.assign(row, row + words);
  }
  return result;
}

template <std::size_t W>
RowMerge<W>::RowMerge(const MergeSources<W>& sources, BlockUnpacker<W>& unpacker, ReadAhead& ahead,
                      std::size_t words, const Word* from, const Word* to, Share share)
    : width_(words), to_(to) {
  runs_.reserve(sources.runs.size());
  const std::size_t chunks =
      share == Share::all ? ahead.chunks() / (sources.runs.size() + 1) + 1 : 0;
  for (std::size_t i = 0; i < sources.runs.size(); ++i)
    runs_.emplace_back(*sources.runs[i], unpacker, ahead, chunks, from, to,
                       sources.spent.empty() ? nullptr : sources.spent[i]);
  for (const States& array : sources.arrays) {
    const Word* const end = array.data() + array.size() * words;
    const Word* const first =
        from == nullptr ? array.data() : lower_bound(array.data(), end, from, width_);
    arrays_.push_back({first, to == nullptr ? end : lower_bound(first, end, to, width_)});
  }
}

// No source has more than its share of the room before this row.
template <std::size_t W>
const Word* RowMerge<W>::limit(std::size_t room) {
  const std::size_t share = room / (runs_.size() + arrays_.size());
  const Word* lowest = to_;
  const auto lower = [&](const Word* row) {
    if (row != nullptr && (lowest == nullptr || below(row, lowest, width_))) lowest = row;
  };
  for (RunReader<W>& run : runs_) lower(run.ahead(share));
  for (const Array& array : arrays_)
    if (static_cast<std::size_t>(array.end - array.at) / width_.words() > share)
      lower(array.at + share * width_.words());
  return lowest;
}

template <std::size_t W>
std::size_t RowMerge<W>::next(RowSorter& sorter, Word* const rows, std::size_t room) {
  if (runs_.empty() && arrays_.empty()) return 0;
  for (;;) {
    const Word* const stop = limit(room);
    Word* end = rows;
    std::size_t giving = 0;  // sources
    for (RunReader<W>& run : runs_) {
      Word* const before = end;
      end = run.take_below(stop, end);
      giving += end != before ? 1 : 0;
    }
    for (Array& array : arrays_) {
      const Word* const last =
          stop == nullptr ? array.end : lower_bound(array.at, array.end, stop, width_);
      giving += last != array.at ? 1 : 0;
      end = std::copy(array.at, last, end);
      array.at = last;
    }
    const std::size_t count = static_cast<std::size_t>(end - rows) / width_.words();
    if (giving > 1) return sorter.sort_unique(rows, count);
    if (count > 0 || stop == to_) return count;
  }
}

// Rows with marks ---------------------------------------------------------------------------------
//
// While rows are sorted, each has its mark behind its lowest bit.  The most significant word makes
// room for it: what is the same in all rows is subtracted from it, and rows that are too far apart
// wait for the next call.

// The least of the most significant words of all unread rows.
template <std::size_t W>
Word RowMerge<W>::lowest_top() const {
  Word lowest = ~Word{0};
  for (const RunReader<W>& run : runs_)
    if (const Word* const row = run.first()) lowest = std::min(lowest, row[width_.words() - 1]);
  return lowest;
}

// `stop`, or an earlier row such that marks have room in all rows below it.
template <std::size_t W>
const Word* RowMerge<W>::nearer(const Word* stop, Word lowest, unsigned bits) {
  const std::size_t top = width_.words() - 1;
  const Word room = Word{1} << (64 - bits);
  if (lowest > ~room) return stop;
  // unread rows may all be behind it
  if (stop != nullptr && (stop[top] <= lowest || stop[top] - lowest < room)) return stop;
  near_.assign(width_.words(), 0);
  near_[top] = lowest + room;
  return near_.data();
}

template <std::size_t W>
void RowMerge<W>::mark_rows(Word* row, const Word* end, Word lowest, const Marking& marking,
                            std::uint8_t mark) {
  const std::size_t words = width_.words();
  for (; row != end; row += words) {
    row[words - 1] -= lowest;
    for (std::size_t i = words; i-- > 1;)
      row[i] = row[i] << marking.bits | row[i - 1] >> (64 - marking.bits);
    row[0] = row[0] << marking.bits | mark;
  }
}

template <std::size_t W>
void RowMerge<W>::take_marks(Word* row, std::size_t count, Word lowest, const Marking& marking) {
  const std::size_t words = width_.words();
  const Word mask = (Word{1} << marking.bits) - 1;
  for (std::size_t k = 0; k < count; ++k, row += words) {
    marking.marks[k] = static_cast<std::uint8_t>(row[0] & mask);
    for (std::size_t i = 0; i + 1 < words; ++i)
      row[i] = row[i] >> marking.bits | row[i + 1] << (64 - marking.bits);
    row[words - 1] = (row[words - 1] >> marking.bits) + lowest;
  }
}

template <std::size_t W>
std::size_t RowMerge<W>::next(RowSorter& sorter, Word* const rows, std::size_t room,
                              const Marking& marking) {
  if (runs_.empty()) return 0;
  for (;;) {
    const Word* stop = limit(room);
    const Word lowest = lowest_top();
    stop = nearer(stop, lowest, marking.bits);
    Word* end = rows;
    std::size_t giving = 0;
    std::size_t giver = 0;
    ends_.clear();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Word* const before = end;
      end = runs_[i].take_below(stop, end);
      ends_.push_back(end);
      if (end == before) continue;
      ++giving;
      giver = i;
    }
    const std::size_t count = static_cast<std::size_t>(end - rows) / width_.words();
    if (giving == 1) std::fill(marking.marks, marking.marks + count, marking.of_runs[giver]);
    if (giving > 1) {
      Word* begin = rows;
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        mark_rows(begin, ends_[i], lowest, marking, marking.of_runs[i]);
        begin = ends_[i];
      }
      sorter.sort(rows, count);
      take_marks(rows, count, lowest, marking);
    }
    if (count > 0 || stop == to_) return count;
  }
}

#define SPILLWAY_WIDTH(W)          \
  template struct MergeSources<W>; \
  template class RowMerge<W>;
SPILLWAY_FOR_WIDTHS(SPILLWAY_WIDTH)
#undef SPILLWAY_WIDTH

}  // namespace spillway
