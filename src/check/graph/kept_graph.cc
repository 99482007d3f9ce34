#include "check/graph/kept_graph.h"

#include "base/error.h"

namespace spillway {

bool KeptGraph::take(std::uint64_t levels) {
  const bool taken = take_what_was_kept(
      session_, *checkpoints_, name_, [&](const GetBytes& get) { take(levels, get); },
      "edges are made again");
  if (taken) {
    session_.lookout.announce("the edges between the states were kept, and are read");
  } else {
    parts_.edges.clear();
    parts_.numbers.clear();
  }
  return taken;
}

void KeptGraph::take(std::uint64_t levels, const GetBytes& get) {
  const auto expect = [](bool is_so) {
    if (!is_so) throw Error(Fault::integrity, "the edges that were kept are of other levels");
  };
  NumberedLevels& numbers = parts_.numbers;
  expect(get_word(get) == levels);
  const std::vector<Level>& of_search = session_.levels.counts().levels;
  for (std::uint64_t i = 0; i < levels; ++i) {
    const Node end = get_word(get);
    expect(end >= numbers.size() && end - numbers.size() <= of_search[i].states);
    numbers.end_level(end);
  }
  parts_.has_dead_ends = get_word(get) != 0;
  parts_.edges.load(get, numbers.size());
  expect(parts_.edges.nodes() == numbers.size());
}

void KeptGraph::save() {
  keep_when_due(session_, *checkpoints_, name_, [&](const PutBytes& put) {
    put_word(put, parts_.numbers.levels());
    for (const Node end : parts_.numbers.ends()) put_word(put, end);
    put_word(put, parts_.has_dead_ends ? 1 : 0);
    parts_.edges.save(put);
  });
}

}  // namespace spillway
