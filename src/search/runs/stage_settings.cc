#include "search/runs/stage_settings.h"

#include <algorithm>

#include "io/data/buffer.h"
#include "storage/blocks/block.h"
#include "storage/runs/external_sort.h"
#include "storage/runs/mark_store.h"

namespace spillway {
namespace {

constexpr std::size_t kSortedAtOnce = std::size_t{1} << 30;  // bytes: some seconds
constexpr std::size_t kLeastCandidates = 64;                 // rows: fewer would make too many runs
constexpr std::size_t kLeastRuns = 4;   // that can be read at once, of each kind
constexpr std::size_t kLooseRows = 16;  // of a thread: bits that differ, where runs are cut

void choose(std::size_t& value, std::size_t chosen) {
  if (value == 0) value = chosen;
}

// Small enough for a buffer for each of many runs, and so large that the index of a run, some 70
// bytes for each chunk, is small beside the memory even if 300 times as much is on disk.
std::size_t chunk_bytes(std::uint64_t limit) {
  constexpr std::uint64_t kUsual = 64 << 10;
  return std::clamp<std::uint64_t>(limit / 512, 4 << 10, std::max(kUsual, limit >> 14));
}

// Sizes that depend on the memory alone.
SortedRunsSettings shapes_for(const SortedRunsSettings& wanted, std::size_t words,
                              const StageSubject& subject) {
  SortedRunsSettings settings = wanted;
  // of each run, one is read at a time
  const BlockShape shape = BlockShape::of(words, subject.limit / 512);
  choose(settings.block_rows, shape.rows);
  choose(settings.group_rows, shape.group_rows);
  choose(settings.chunk_bytes, chunk_bytes(subject.limit) - kBlockHeaderBytes);
  choose(settings.sort_rows, kSortedAtOnce / (words * sizeof(Word)));
  choose(settings.squeeze_states, std::size_t{1} << 16);
  choose(settings.marked_rows, std::size_t{1} << 16);
  if (subject.kept) {
    settings.group_rows = subject.kept->group_rows;
    settings.block_rows = std::min(settings.block_rows, subject.kept->rows);
  }
  return settings;
}

std::size_t buffer_for(const SortedRunsSettings& settings, std::size_t most_block) {
  return round_up_to_sector(std::max(settings.chunk_bytes, most_block + ChunkStore::kBesides) +
                            kBlockHeaderBytes);
}

// What a stage takes, thread by thread, with these sizes.
template <std::size_t W>
struct Needs {
  const StageSubject& subject;
  const SortedRunsSettings& settings;
  const std::size_t buffer;
  const BlockShape shape = block_shape(settings, subject.words);
  const BlockShape whole = block_shape(settings, subject.row_words);
  const std::size_t row = subject.words * sizeof(Word);
  const std::size_t whole_row = subject.row_words * sizeof(Word);
  const bool squeezed = subject.words != subject.row_words;

  // A thread has this all the time, besides the rows that it is given.
  std::uint64_t fixed() const {
    std::uint64_t bytes =
        BlockPacker<W>::bytes(shape) + BlockUnpacker<W>::bytes(shape) + shape.rows * (row + 1);
    bytes += kLooseRows * whole_row;
    if (squeezed) bytes += 2 * whole.rows * whole_row + BlockPacker<0>::bytes(whole);
    return bytes;
  }

  std::uint64_t writer() const {
    return RunWriter<W>::bytes(settings.chunk_bytes, shape) + 2 * buffer + MarkWriter::kMostBytes;
  }

  std::uint64_t ahead() const { return settings.chunks_ahead * buffer; }

  // While a thread expands a level: what it reads, and candidates on their way to disk.
  std::uint64_t expanding(std::size_t fan_in) const {
    std::uint64_t spill =
        ExternalSort<W>::bytes_to_spill(settings.chunk_bytes, buffer, shape, fan_in);
    if (squeezed)
      spill =
          std::max(spill, ExternalSort<0>::bytes_to_spill(settings.chunk_bytes, buffer, whole, 2));
    return buffer + ahead() + spill;
  }

  // While one thread merges as few runs as that can be done with.
  std::uint64_t merging() const {
    const BlockShape small = ExternalSort<W>::run_shape(shape);
    const std::uint64_t fresh = RowMerge<W>::bytes(buffer, small, kLeastRuns) + kLeastRuns * buffer;
    return writer() + ahead() + std::max(fresh, RowMerge<W>::bytes(buffer, shape, kLeastRuns));
  }
};

// With this number of threads; threads is 0 if they have no room.
template <std::size_t W>
SortedRunsSettings settings_with(SortedRunsSettings settings, const StageSubject& subject,
                                 std::uint64_t bytes, std::size_t buffer, std::size_t threads) {
  const bool free_choice = settings.candidate_rows == 0;
  const std::size_t some = bytes / threads / 32 / buffer;
  const std::size_t ahead = some < 4 ? some : 2 * some;  // long rows have little memory to spare
  choose(settings.chunks_ahead, std::clamp<std::size_t>(ahead, 2, 16));
  const Needs<W> needs{subject, settings, buffer};
  const std::uint64_t quarter = bytes / 4;
  if (settings.sort_fan_in == 0) {
    settings.sort_fan_in = ExternalSort<W>::kFanIn;
    while (settings.sort_fan_in > 2 && threads * needs.expanding(settings.sort_fan_in) > quarter)
      --settings.sort_fan_in;
  }
  const std::uint64_t busy =
      std::max(threads * needs.expanding(settings.sort_fan_in), needs.merging());
  const std::uint64_t reserve = std::max(quarter, busy + busy / 15);  // indexes grow meanwhile
  // and the archive of levels, and marks
  const std::uint64_t indexes = bytes / 32 + 5 * buffer + settings.chunk_bytes;
  const std::uint64_t taken = threads * needs.fixed() + (reserve - quarter) + indexes;
  const std::size_t share = bytes > taken ? (bytes - taken) / threads : 0;
  choose(settings.cache_rows,
         std::clamp<std::size_t>(share / 16, 16 << 10, 1 << 20) / needs.row + 2);
  choose(settings.candidate_rows, share / 5 * 2 / ExternalSort<W>::bytes(needs.shape, 1) + 1);
  choose(settings.merge_rows,
         std::clamp<std::size_t>(share / 32, 64 << 10, 512 << 10) / needs.row + 1);
  choose(settings.most_runs, std::max<std::size_t>(kLeastRuns, reserve / 2 / buffer));
  settings.reserve_bytes = std::max<std::uint64_t>(settings.reserve_bytes, reserve);
  const std::uint64_t of_thread =
      needs.fixed() + settings.cache_rows * needs.row +
      ExternalSort<W>::bytes(needs.shape, settings.candidate_rows) +
      settings.merge_rows * (needs.row + 1) + 3 * kSector +
      (needs.squeezed ? ExternalSort<0>::bytes(needs.whole, odd_rows(settings, subject)) : 0);
  const bool enough = !free_choice || settings.candidate_rows >= kLeastCandidates;
  settings.threads = enough && threads * of_thread + reserve + indexes <= bytes ? threads : 0;
  return settings;
}

}  // namespace

BlockShape block_shape(const SortedRunsSettings& settings, std::size_t words) {
  return {words, settings.block_rows, settings.group_rows, true};
}

std::size_t odd_rows(const SortedRunsSettings& settings, const StageSubject& subject) {
  return settings.candidate_rows / 16 * subject.words / subject.row_words + 1;
}

std::size_t most_block_bytes(const SortedRunsSettings& wanted, const StageSubject& subject) {
  std::size_t most = 0;
  for (std::size_t w = 1; w <= subject.row_words; ++w)
    most = std::max(most, block_shape(shapes_for(wanted, w, subject), w).most_bytes());
  return most;
}

SortedRunsSettings stage_settings(const SortedRunsSettings& wanted, const StageSubject& subject,
                                  std::uint64_t bytes) {
  const SortedRunsSettings shapes = shapes_for(wanted, subject.words, subject);
  const std::size_t buffer = buffer_for(shapes, most_block_bytes(wanted, subject));
  return with_width(subject.words, [&](auto width) {
    for (std::size_t threads = subject.threads; threads > 1; --threads) {
      const SortedRunsSettings settings =
          settings_with<width()>(shapes, subject, bytes, buffer, threads);
      if (settings.threads != 0) return settings;
    }
    return settings_with<width()>(shapes, subject, bytes, buffer, 1);
  });
}

std::uint64_t hand_over_bytes(const SortedRunsSettings& wanted, const StageSubject& subject) {
  const SortedRunsSettings settings = shapes_for(wanted, subject.row_words, subject);
  const BlockShape shape = block_shape(settings, subject.row_words);
  return BlockPacker<0>::bytes(shape) + RunWriter<0>::bytes(settings.chunk_bytes, shape) +
         // three for the archive of levels
         5 * buffer_for(settings, most_block_bytes(wanted, subject)) +
         ExternalSort<0>::bytes(shape, hand_over_rows(subject)) + subject.limit / 64;
}

std::size_t hand_over_rows(const StageSubject& subject) {
  return std::max<std::size_t>(16, subject.limit / 32 / (subject.row_words * sizeof(Word)));
}

std::uint64_t least_bytes(const SortedRunsSettings& wanted, StageSubject subject) {
  subject.threads = 1;
  const auto enough = [&](std::uint64_t bytes) {
    subject.limit = bytes;
    return stage_settings(wanted, subject, bytes).threads != 0 &&
           hand_over_bytes(wanted, subject) <= bytes / 2;
  };
  std::uint64_t high = std::uint64_t{64} << 10;
  while (!enough(high)) high *= 2;
  std::uint64_t low = high / 2;
  while (high - low > (std::uint64_t{16} << 10)) {
    const std::uint64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace spillway
