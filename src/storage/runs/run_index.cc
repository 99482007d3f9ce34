#include "storage/runs/run_index.h"

#include <algorithm>
#include <utility>

#include "storage/runs/chunks/chunk_store.h"

namespace spillway {

std::size_t words_apart(const Word* lower, const Word* row, std::size_t words) {
  std::size_t i = words;
  while (i > 1 && lower[i - 1] == row[i - 1]) --i;
  return words - i + 1;
}

void RunIndex::add(Chunk chunk, std::uint64_t blocks, std::span<const Word> edge) {
  marks_.push_back({blocks_, edges_.size()});
  for (const Word word : edge) edges_.push_back(word);
  chunks_.push_back(std::move(chunk));
  blocks_ += blocks;
}

void RunIndex::append(RunIndex part, std::span<const Word> edge) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    marks_.push_back({blocks_ + part.marks_[i].first_block, edges_.size()});
    if (i == 0)
      for (const Word word : edge) edges_.push_back(word);
    for (std::size_t k = part.marks_[i].edge; k < part.edge_end(i); ++k)
      edges_.push_back(part.edges_[k]);
    chunks_.push_back(std::move(part.chunks_[i]));
  }
  blocks_ += part.blocks_;
}

void RunIndex::to_disk(ChunkWriter& writer) {
  Chunks moved(*budget_);
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    Chunk chunk = std::move(chunks_[i]);
    moved.push_back(chunk.in_memory() ? writer.put(chunk.bytes(), true) : std::move(chunk));
  }
  chunks_ = std::move(moved);
}

std::size_t RunIndex::chunk_with(std::uint64_t block) const {
  std::size_t low = 0;
  std::size_t high = size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (first_block(middle) <= block ? low : high) = middle;
  }
  return low;
}

void RunIndex::edge(std::size_t chunk, Word* row) const {
  const std::size_t begin = marks_[chunk].edge;
  const std::size_t count = edge_end(chunk) - begin;
  std::fill(row, row + words_ - count, 0);
  for (std::size_t i = 0; i < count; ++i) row[words_ - count + i] = edges_[begin + i];
}

bool RunIndex::is_before(const Word* row, std::size_t chunk) const {
  const std::size_t begin = marks_[chunk].edge;
  const std::size_t count = edge_end(chunk) - begin;
  for (std::size_t i = count; i-- > 0;) {
    const Word word = row[words_ - count + i];
    if (word != edges_[begin + i]) return word < edges_[begin + i];
  }
  return false;
}

std::size_t RunIndex::chunk_of(const Word* row, std::size_t from) const {
  std::size_t step = 1;  // mostly the same chunk or one soon after it
  std::size_t low = from;
  while (low + step < size() && !is_before(row, low + step)) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(size(), low + step);  // it is before this one, or there is none
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (is_before(row, middle) ? high : low) = middle;
  }
  return low;
}

}  // namespace spillway
