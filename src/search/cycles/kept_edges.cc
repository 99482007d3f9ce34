#include "search/cycles/kept_edges.h"

#include <algorithm>

namespace spillway {

void KeptEdges::add(std::uint32_t node, std::span<const std::uint32_t> rows,
                    std::span<const SetMask> marks) {
  const std::size_t size = record_words(rows.size());
  if (chunks_.empty() || chunks_.back().words.size() + size > chunks_.back().words.capacity()) {
    const std::size_t room = std::max(size, kChunkWords);
    Claim claim(*budget_, room * sizeof(std::uint32_t) + sizeof(Chunk));
    chunks_.push_back({std::move(claim), {}, node});
    chunks_.back().words.reserve(room);
  }
  std::vector<std::uint32_t>& words = chunks_.back().words;
  words.push_back(node);
  const auto steps = static_cast<std::uint32_t>(rows.size());
  words.push_back(mark_words_ == 0 ? steps << 1 | static_cast<std::uint32_t>(marks[0]) : steps);
  words.insert(words.end(), rows.begin(), rows.end());
  if (mark_words_ == 0) return;
  for (const SetMask mark : marks) {
    words.push_back(static_cast<std::uint32_t>(mark));
    if (mark_words_ == 2) words.push_back(static_cast<std::uint32_t>(mark >> 32));
  }
}

KeptEdges::Reader::Reader(const KeptEdges& edges, Node from) : edges_(edges) {
  const auto after = std::ranges::upper_bound(edges.chunks_, from, {}, &Chunk::first);
  if (after != edges.chunks_.begin())
    chunk_ = static_cast<std::size_t>(after - edges.chunks_.begin()) - 1;
  while (!at_end() && edges.chunks_[chunk_].words[at_] < from) skip();
}

void KeptEdges::Reader::skip() {
  const std::vector<std::uint32_t>& words = edges_.chunks_[chunk_].words;
  at_ += edges_.record_words(edges_.mark_words_ == 0 ? words[at_ + 1] >> 1 : words[at_ + 1]);
  if (at_ < words.size()) return;
  ++chunk_;
  at_ = 0;
}

bool KeptEdges::Reader::find(Node node) {
  if (at_end() || edges_.chunks_[chunk_].words[at_] != node) return false;
  const std::uint32_t* record = edges_.chunks_[chunk_].words.data() + at_;
  const std::uint32_t head = record[1];
  const std::size_t steps = edges_.mark_words_ == 0 ? head >> 1 : head;
  rows_ = {record + 2, steps};
  marks_.clear();
  if (edges_.mark_words_ == 0) marks_.push_back(head & 1);
  const std::uint32_t* mark = record + 2 + steps;
  for (std::size_t i = 0; i < steps && edges_.mark_words_ != 0; ++i, mark += edges_.mark_words_)
    marks_.push_back(edges_.mark_words_ == 1 ? SetMask{mark[0]}
                                             : SetMask{mark[1]} << 32 | SetMask{mark[0]});
  skip();
  return true;
}

}  // namespace spillway
