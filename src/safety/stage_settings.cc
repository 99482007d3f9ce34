#include "safety/stage_settings.h"

#include <algorithm>

#include "storage/block.h"
#include "storage/row_order.h"

namespace spillway {
namespace {

constexpr std::size_t kSortedAtOnce = std::size_t{1} << 30;  // bytes: some seconds

}  // namespace

SortedRunsSettings stage_settings(const SortedRunsSettings& wanted, std::size_t words, std::size_t threads,
                                  std::uint64_t bytes, Journal* journal) {
  SortedRunsSettings settings = wanted;
  const std::size_t row_bytes = words * sizeof(Word);
  const std::size_t share = bytes / threads;
  BlockShape shape = BlockShape::of(words);
  while (shape.rows > 16 && shape.most_bytes() > share / 256) shape.rows /= 2;  // a block of each run is read at a time
  const auto choose = [](std::size_t& value, std::size_t chosen) {
    if (value == 0) value = chosen;
  };
  choose(settings.block_rows, shape.rows);
  choose(settings.group_rows, shape.group_rows);
  choose(settings.chunk_bytes, std::clamp<std::size_t>(share / 256, 4 << 10, 64 << 10) - kBlockHeaderBytes);
  choose(settings.cache_rows, std::clamp<std::size_t>(share / 16, 16 << 10, 1 << 20) / row_bytes + 2);
  choose(settings.candidate_rows, share / 5 * 2 / (row_bytes + RowSorter::bytes_per_row(words)) + 1);
  choose(settings.reserve_bytes, bytes / 4);
  choose(settings.chunks_ahead, std::clamp<std::size_t>(share / 32 / settings.chunk_bytes, 2, 8));
  choose(settings.sort_rows, kSortedAtOnce / row_bytes);
  choose(settings.merge_rows, std::clamp<std::size_t>(share / 32, 64 << 10, 512 << 10) / row_bytes + 1);
  choose(settings.squeeze_states, std::size_t{1} << 16);
  if (journal != nullptr) {
    const BlockShape& logged = journal->levels().form().shape;  // the log takes blocks as they are
    settings.group_rows = logged.group_rows;
    settings.block_rows = std::min(settings.block_rows, logged.rows);
  }
  return settings;
}

BlockShape block_shape(const SortedRunsSettings& settings, std::size_t words) {
  return {words, settings.block_rows, settings.group_rows, true};
}

}  // namespace spillway
