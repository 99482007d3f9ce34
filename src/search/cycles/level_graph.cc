#include "search/cycles/level_graph.h"

#include <algorithm>
#include <atomic>

#include "check/graph/acceptance.h"

namespace spillway {

void LevelGraph::add_edges(const std::vector<const KeptEdges*>& kept) {
  const Node end = nodes_.ends()[levels_++];
  const std::size_t first = edges_.block_of(edges_.nodes());
  if (tail_.size() == 0) tail_.begin(edges_.nodes());
  edges_.extend(end);
  const std::size_t full = edges_.block_of(end);  // blocks from this one on are not full
  if (full == first) return fill(tail_, end, kept);
  std::atomic<std::size_t> next{first};
  EdgeBlock tail;
  const auto work = [&](unsigned) {
    EdgeBlock own;
    for (std::size_t i = next++; i <= full; i = next++) {
      EdgeBlock& block = i == first ? tail_ : i == full ? tail : own;
      if (i != first) block.begin(edges_.begin(i));
      fill(block, std::min(end, edges_.begin(i + 1)), kept);
      if (i != full) edges_.put(i, block);
    }
  };
  crew_.each(work);
  tail_ = std::move(tail);
}

// Adds the nodes up to `end`.
void LevelGraph::fill(EdgeBlock& block, Node end, const std::vector<const KeptEdges*>& kept) const {
  const Node begin = block.first() + block.size();
  std::vector<KeptEdges::Reader> readers;
  for (const KeptEdges* edges : kept)
    if (!edges->empty()) readers.emplace_back(*edges, begin);
  std::vector<Node> targets;
  for (Node node = begin; node < end; ++node) {
    const auto has = [node](KeptEdges::Reader& reader) { return reader.find(node); };
    const auto reader = std::ranges::find_if(readers, has);
    targets.clear();
    if (reader == readers.end()) {
      block.add(targets, 0);
      continue;
    }
    for (const std::uint32_t row : reader->rows()) targets.push_back(nodes_.node(row));
    if (acceptance_.marks_steps())
      block.add(targets, reader->marks());
    else
      block.add(targets, reader->marks()[0]);
  }
}

void LevelGraph::put_tail() {
  if (tail_.size() != 0) edges_.put(edges_.blocks() - 1, tail_);
}

std::vector<Node> LevelGraph::ends() const {
  return {nodes_.ends().begin(), nodes_.ends().begin() + static_cast<std::ptrdiff_t>(levels_)};
}

LeastPrefixSettings LevelGraph::passes(const std::function<void()>& poll) const {
  LeastPrefixSettings settings;
  settings.poll = poll;
  settings.targets = nodes_.size();  // edges lead to the next level
  return settings;
}

void LevelGraph::order_by_rows(LeastPrefixSettings& settings) {
  rows_ = nodes_.rows(ends().back(), for_rows_);
  settings.order = [this](Node a, Node b) {
    if (nodes_.level(a) != nodes_.level(b)) return a < b;
    std::vector<Word> of_a, of_b;
    return less(row(a, of_a), row(b, of_b));
  };
}

Finding LevelGraph::finding_of(const AcceptingCycle& cycle) const {
  std::vector<Word> whole;
  const auto copy = [&](Node node) {
    const State state = row(node, whole);
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{PropertyKind::acceptance, 0, nodes_.level(cycle.first), copy(cycle.first)};
  for (const Node node : cycle.nodes) finding.loop.push_back(copy(node));
  return finding;
}

bool LevelGraph::has_cycle(const std::vector<Node>& ends, const LeastPrefixSettings& settings) {
  const SetMask wanted = all_sets(acceptance_.sets());
  if (LeastPrefix(edges_, wanted, ends, budget_, crew_, settings).has_cycle(levels_)) return true;
  checked_ = levels_;
  return false;
}

std::optional<Finding> LevelGraph::check(const std::function<void()>& poll) {
  if (edges_.nodes() == 0) return std::nullopt;
  put_tail();
  const std::vector<Node> known = ends();
  const SetMask wanted = all_sets(acceptance_.sets());
  LeastPrefixSettings settings = passes(poll);
  if (!has_cycle(known, settings)) return std::nullopt;
  order_by_rows(settings);
  return finding_of(*LeastPrefix(edges_, wanted, known, budget_, crew_, settings).find(checked_));
}

std::optional<Finding> LevelGraph::check_for_shortest(bool is_all, Lookout& lookout) {
  if (edges_.nodes() == 0) return std::nullopt;
  put_tail();
  const std::vector<Node> known = ends();
  const SetMask wanted = all_sets(acceptance_.sets());
  ShortestLassoSettings settings{passes([&lookout] { lookout.look_up(); })};
  settings.tell = [&lookout](const std::string& text) { lookout.announce(text); };
  if (lasso_.wanted_levels() == 0 && !has_cycle(known, settings.passes)) return std::nullopt;
  order_by_rows(settings.passes);
  const std::optional<LassoInLevels::Found> found =
      lasso_.find({edges_, wanted, known}, checked_, is_all, budget_, crew_, settings);
  if (!found) return std::nullopt;  // there is one, but more levels are needed
  if (!found->why_not.empty()) announce_not_shortest(lookout, found->why_not);
  Finding finding = finding_of(found->cycle);
  finding.minimal = found->why_not.empty();
  return finding;
}

}  // namespace spillway
