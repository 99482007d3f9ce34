#include "check/graph/state_graph.h"

#include <algorithm>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;  // bytes
// More memory than that gains nothing, and is not touched by small models, but counts where the
// address space is limited.
constexpr std::uint64_t kMostToJoin = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostToOrder = std::uint64_t{128} << 20;

std::size_t chunk_bytes_of(std::uint64_t bytes) {
  return std::clamp<std::uint64_t>(bytes / 512, 4 << 10, 64 << 10) - kBlockHeaderBytes;
}

EdgeJoinSettings settings_of_join(Session& session, StateGraph::Kept kept, std::uint64_t bytes,
                                  unsigned threads, EdgeShare share) {
  EdgeJoinSettings settings;
  settings.words = session.row_words();
  settings.sets = kept == StateGraph::Kept::all ? 0 : session.model.acceptance().sets();
  settings.bytes = bytes;
  settings.fan_in = std::clamp<std::uint64_t>(bytes / 64 / threads / chunk_bytes_of(bytes), 2, 32);
  settings.poll = [&session](unsigned thread) { session.lookout.look_up(thread); };
  settings.share = std::move(share);
  return settings;
}

}  // namespace

// Where there is little memory, what is read and written at the same time takes half of it.
GraphMemory::GraphMemory(std::uint64_t bytes, bool with_disk)
    : join(std::min(bytes < kLittle ? bytes / 4 : bytes / 8 * 3, kMostToJoin)),
      order(std::min(bytes / 8, kMostToOrder)),
      remember(bytes / 4),
      edges_leave(bytes < kLittle ? bytes / 8 * 7 : bytes / 4 * 3),
      runs_leave(with_disk ? edges_leave : bytes / 16),
      chunk_bytes(chunk_bytes_of(bytes)) {}

StateGraph::StateGraph(Session& session, Budget& budget, Crew& crew, Disk* disk, Kept kept,
                       const StateGraphSettings& settings)
    : session_(session),
      words_(session.row_words()),
      crew_(crew),
      kept_(kept),
      budget_(budget),
      post_(session, budget, crew, settings.block_nodes),
      least_apart_(post_.least_apart(settings.least_apart)),
      memory_(budget.left(), disk != nullptr),
      join_settings_(
          settings_of_join(session, kept, memory_.join, crew.size(), post_.share(is_apart_))),
      no_disk_("there is too little memory, and this algorithm uses no disk", Fault::memory),
      store_(budget, disk != nullptr ? *disk : no_disk_, memory_.chunk_bytes,
             std::max(EdgeJoin::most_block_bytes(join_settings_),
                      OrderedRows::shape(words_, memory_.order).most_bytes()),
             memory_.runs_leave),
      numbers_(session, crew, store_, memory_.order, kept),
      join_(EdgeJoin::make(store_, crew, join_settings_)),
      edges_(budget, 0, settings.block_nodes,
             {disk, memory_.edges_leave, memory_.chunk_bytes, settings.bits}) {}

EdgePost::Arrivals StateGraph::arrivals() {
  EdgePost::Arrivals arrivals;
  arrivals.edge = [this](unsigned thread, Node source, Node target, SetMask mark) {
    join_->add_edge(thread, source, target, mark);
  };
  arrivals.step = [this](unsigned thread, Node source, State target, SetMask mark) {
    join_->add_step(thread, source, target, mark);
  };
  arrivals.block = [this](std::size_t block, const PackedEdges& edges) {
    edges_.put_checked(block, edges, targets_);
    ++blocks_arrived_;
  };
  return arrivals;
}

void StateGraph::extend(LevelReader& levels, std::uint64_t end, bool is_all) {
  if (is_all && numbers_.levels() == 0 && kept_graph_.take(end)) {
    targets_ = size();
    return;
  }
  join_->begin(size(), session_.levels.states_so_far());
  const bool is_lost = numbers_.levels() < end && expand_levels(levels, end, is_all);
  if (is_lost) name_nodes(levels, is_all ? end : end + 1);
  numbers_.end();
  find_targets(is_lost);
  pack();
  if (is_all) kept_graph_.save();
}

// All ranks remember as many, so that they expand the same states at the same time.
std::uint64_t StateGraph::nodes_to_remember() const {
  const std::uint64_t here = std::min<std::uint64_t>(RecentNodes::rows_in(memory_.remember, words_),
                                                     session_.levels.states_so_far());
  return ~session_.cluster.most(~here);
}

// True if steps are left whose targets have to be found.  Many steps lead back, so the states before
// are remembered as far as half of the room suffices.
bool StateGraph::expand_levels(LevelReader& levels, std::uint64_t end, bool is_all) {
  const std::uint64_t room = nodes_to_remember();
  std::uint64_t depth = numbers_.levels();
  while (depth > 0 && size() - numbers_.begin(depth - 1) <= room / 2) --depth;
  StepMaker steps(session_, budget_, crew_, post_,
                  {kept_, room, numbers_.begin(depth), size(), numbers_.levels(), arrivals()});
  const auto add = [&](std::uint64_t level) {
    numbers_.read(levels, level, [&](Node, States rows) { steps.add(rows); });
  };
  // The first one without edges got its numbers the last time.
  for (; depth <= numbers_.levels(); ++depth) add(depth);
  SPILLWAY_CHECK(numbers_.levels() == 0 || steps.end() == targets_);
  for (; depth <= end; ++depth) {
    numbers_.end_level(steps.end());
    steps.begin_level(depth < end);
    if (depth < end || !is_all) add(depth);
  }
  const StepMaker::Met met = steps.finish();
  has_dead_ends_ = has_dead_ends_ || met.dead_end;
  targets_ = steps.end();
  return met.lost;
}

// Adds the states of the levels before `end` to the join.  All are read once more for that, unless
// no step of any check needed it.
void StateGraph::name_nodes(LevelReader& levels, std::uint64_t end) {
  for (; named_ < end; ++named_)
    numbers_.each(levels, named_, [&](unsigned thread, Node node, State row) {
      if (post_.is_own(row)) join_->add_node(thread, row, node);
    });
}

void StateGraph::find_targets(bool is_any) {
  if (is_any) post_.begin(session_.levels.states_so_far(), arrivals());
  join_->find_targets();
  if (is_any) post_.finish();
}

// A block that did not come would have no edges.
void StateGraph::pack() {
  is_apart_ = kept_ == Kept::accepting && size() >= least_apart_;
  blocks_arrived_ = 0;
  const std::size_t first = edges_.block_of(edges_.nodes());
  post_.begin(session_.levels.states_so_far(), arrivals());
  join_->pack(edges_, size());
  post_.finish();
  edges_.settle();
  if (is_apart_) return;
  std::size_t here = 0;
  for (std::size_t block = first; block < edges_.blocks(); ++block)
    here += post_.is_here(block) ? 1 : 0;
  SPILLWAY_CHECK(here + blocks_arrived_ + first == std::max(first, edges_.blocks()));
}

void StateGraph::each(LevelReader& levels, const NumberedLevels::VisitNode& visit) {
  for (std::uint64_t depth = 0; depth < numbers_.levels(); ++depth)
    numbers_.each(levels, depth, [&](unsigned thread, Node node, State row) {
      visit(thread, node, session_.expanders[thread].whole(row));
    });
  numbers_.end();
}

std::vector<std::vector<Word>> StateGraph::states(LevelReader& levels,
                                                  std::span<const Node> nodes) {
  std::vector<std::vector<Word>> all = numbers_.rows(levels, nodes);
  for (std::vector<Word>& row : all) {
    const State state = session_.expanders[0].whole(row);
    row = {state.begin(), state.end()};
  }
  return all;
}

std::vector<Word> StateGraph::least(LevelReader& levels, std::uint64_t depth,
                                    const BitVector& among) {
  std::vector<Word> least;
  numbers_.read(levels, depth, [&](Node first, States rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!among.get(first + i)) continue;
      const State state = session_.expanders[0].whole(rows[i]);
      if (least.empty() || less(state, least)) least.assign(state.begin(), state.end());
    }
  });
  numbers_.end();
  return least;
}

}  // namespace spillway
