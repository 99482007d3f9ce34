#include "check/graph/state_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "storage/runs/team.h"

namespace spillway {
namespace {

constexpr std::size_t kTakenAtOnce = 64;  // states, by a thread
constexpr std::size_t kAlone = 512;       // states: waking threads does not pay
constexpr std::size_t kPartsOfRoom = 8;   // that are forgotten one after the other
constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;  // bytes
// More memory than that gains nothing, and is not touched by small models, but counts where the
// address space is limited.
constexpr std::uint64_t kMostToJoin = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostToOrder = std::uint64_t{128} << 20;

// Shares of the parts.  Where there is little memory, what is read and written at the same time
// takes half of it.
std::uint64_t to_join(std::uint64_t share) {
  return std::min(share < kLittle ? share / 4 : share / 8 * 3, kMostToJoin);
}
std::uint64_t to_order(std::uint64_t share) { return std::min(share / 8, kMostToOrder); }
std::uint64_t to_remember(std::uint64_t share) { return share / 4; }

std::size_t chunk_bytes(std::uint64_t share) {
  return std::clamp<std::uint64_t>(share / 512, 4 << 10, 64 << 10) - kBlockHeaderBytes;
}

EdgeJoinSettings join_settings(const Model& model, StateGraph::Kept kept, std::uint64_t bytes,
                               unsigned threads, Lookout& lookout, EdgeShare share) {
  EdgeJoinSettings settings;
  settings.words = model.words();
  settings.sets = kept == StateGraph::Kept::all ? 0 : model.acceptance_sets();
  settings.bytes = bytes;
  settings.fan_in = std::clamp<std::uint64_t>(bytes / 64 / threads / chunk_bytes(bytes), 2, 32);
  settings.poll = [&lookout](unsigned thread) { lookout.look_up(thread); };
  settings.share = std::move(share);
  return settings;
}

}  // namespace

struct alignas(128) StateGraph::Worker {
  explicit Worker(std::size_t words) : successors(words) {}
  Successors successors;
  Tally read;      // of the level that was read last
  Tally expanded;  // of the level that was expanded last; without a digest
  struct OpenStep {
    Node source;
    std::size_t target;  // among the successors
    SetMask mark;
    std::uint64_t hash;
    std::uint32_t guess;
  };
  std::vector<OpenStep> steps;
  bool is_lost = false;  // some step leads to a state that is not remembered
};

// How far a call of extend() has come.  States are expanded when those of the next level have their
// numbers, or when there is no more room to remember them.
struct StateGraph::Extension {
  RecentNodes recent;
  Node expanded;                    // all before this one are
  Node level_end;                   // of the level that is expanded
  bool is_finished;                 // all of it
  bool may_expand_next = true;      // states of the next level
  std::vector<Tally> tallies = {};  // of each level that is finished
};

// Nodes and edges leave most of the share to what sorts and merges, and afterwards to those who
// read them.
StateGraph::StateGraph(Session& session, Budget& budget, Crew& crew, Disk* disk, Kept kept,
                       const StateGraphSettings& settings)
    : session_(session),
      model_(session.model),
      crew_(crew),
      kept_(kept),
      budget_(budget),
      post_(session, budget, crew, settings.block_nodes),
      least_apart_(post_.least_apart(settings.least_apart)),
      share_(budget.left()),
      join_settings_(join_settings(model_, kept, to_join(share_), crew.size(), session.lookout,
                                   post_.share(is_apart_))),
      no_disk_("there is too little memory, and this algorithm uses no disk", Fault::memory),
      store_(budget, disk != nullptr ? *disk : no_disk_, chunk_bytes(share_),
             std::max(EdgeJoin::most_block_bytes(join_settings_),
                      OrderedRows::shape(model_.words(), to_order(share_)).most_bytes()),
             disk != nullptr ? left_by_others() : share_ / 16),
      level_(
          OrderedRows::make(store_, crew, model_.words(), to_order(share_), join_settings_.poll)),
      join_(EdgeJoin::make(store_, crew, join_settings_)),
      edges_(budget, 0, settings.block_nodes,
             {disk, left_by_others(), chunk_bytes(share_), settings.bits}) {
  for (unsigned i = 0; i < crew.size(); ++i) {
    workers_.emplace_back(model_.words());
    workers_.back().successors.want_marks(kept == Kept::accepting && model_.marks_steps());
  }
}

StateGraph::~StateGraph() = default;

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

std::uint64_t StateGraph::left_by_others() const {
  return share_ < kLittle ? share_ / 8 * 7 : share_ / 4 * 3;
}

bool StateGraph::is_kept(State row) const {
  return kept_ == Kept::all || model_.acceptance_part(row) != Model::kNoPart;
}

void StateGraph::in_parallel(std::size_t count, const Work& work) {
  const Expanders::InModel in_model(session_.expanders);
  share_out(crew_, (count + kTakenAtOnce - 1) / kTakenAtOnce, count <= kAlone ? 1 : crew_.size(),
            [&](unsigned thread, std::size_t part) {
              session_.lookout.look_up(thread);  // a level can take minutes
              const std::size_t first = part * kTakenAtOnce;
              work(thread, first, std::min(kTakenAtOnce, count - first));
            });
}

std::uint64_t StateGraph::states_so_far() const {
  return session_.levels.counts().states + session_.levels.level_states();
}

// A state that vanished would take its steps with it, and steps of no state are missed by no sort.
// Of the level that has not been expanded, only the number of states is known.
void StateGraph::compare_with_search(std::uint64_t depth) const {
  Tally read;
  for (const Worker& worker : workers_) read += worker.read;
  const std::vector<Level>& complete = session_.levels.counts().levels;
  const std::uint64_t states =
      depth < complete.size() ? complete[depth].states : session_.levels.level_states();
  if (read.states != states)
    throw Error(
        Fault::integrity,
        fmt::format("level {} has {} states when it is read again, but the search found {}, "
                    "so no result can be trusted",
                    depth, with_commas(read.states), with_commas(states)));
  if (depth < complete.size() && read.digest != complete[depth].digest)
    throw Error(
        Fault::integrity,
        fmt::format("level {} has other states when it is read again than in the search, so "
                    "no result can be trusted",
                    depth));
}

// Where all states of a level are expanded, they have as many successors as in the search.
// `expanded`: of the levels that have no edges yet.
void StateGraph::compare_transitions(const std::vector<Tally>& expanded) {
  const std::vector<Level>& complete = session_.levels.counts().levels;
  for (std::size_t i = 0; i < expanded.size(); ++i) {
    const std::uint64_t depth = ends_.size() + i;
    if (depth >= complete.size() || expanded[i].states != complete[depth].states) continue;
    if (expanded[i].transitions == complete[depth].transitions) continue;
    throw Error(
        Fault::model,
        fmt::format("the states of level {} have {} successors when they are expanded again, "
                    "but had {} in the search, so no result can be trusted",
                    depth, with_commas(expanded[i].transitions),
                    with_commas(complete[depth].transitions)));
  }
}

// Calls visit for the states of a level in order.  The first one has the number `first`.
void StateGraph::read(LevelReader& levels, std::uint64_t depth, Node first,
                      const VisitBatch& visit) {
  level_->begin();
  for (Worker& worker : workers_) worker.read = {};
  levels.each_at_depth(depth, [&](unsigned thread, State row) {
    stop_request::obey();
    Tally& here = workers_[thread].read;
    ++here.states;
    here.digest.add(row);
    if (is_kept(row)) level_->add(thread, row);
  });
  compare_with_search(depth);
  level_->each([&](States rows) {
    session_.lookout.look_up();
    visit(first, rows);
    first += rows.size();
  });
}

void StateGraph::extend(LevelReader& levels, std::uint64_t end, bool is_all) {
  if (is_all && take_kept(end)) return;
  join_->begin(size(), states_so_far());
  if (ends_.size() < end) expand_levels(levels, end, is_all);
  const bool is_lost = is_any_lost();
  if (is_lost) name_nodes(levels, is_all ? end : end + 1);
  level_->end();
  find_targets(is_lost);
  pack();
  if (is_all) keep();
}

void StateGraph::expand_levels(LevelReader& levels, std::uint64_t end, bool is_all) {
  Extension to = begin_extension(levels);
  std::vector<Node> ends = ends_;
  // Those of the first level got their numbers the last time.
  add_level(levels, to, ends.size());
  SPILLWAY_CHECK(ends.empty() || to.recent.end() == targets_);
  for (std::uint64_t depth = ends.size(); depth < end; ++depth) {
    to.level_end = to.recent.end();
    to.is_finished = false;
    to.may_expand_next = depth + 1 < end;
    if (depth + 1 < end || !is_all) add_level(levels, to, depth + 1);
    finish_level(to);
    ends.push_back(to.level_end);
  }
  agree_on_expanded(to.tallies);
  compare_transitions(to.tallies);
  ends_ = std::move(ends);
  targets_ = to.recent.end();
}

// What the ranks have expanded together.
void StateGraph::agree_on_expanded(std::vector<Tally>& tallies) {
  Packet own;
  own.put(has_dead_ends_.load() ? 1 : 0);
  for (const Tally& tally : tallies) {
    own.put(tally.states);
    own.put(tally.transitions);
  }
  for (Tally& tally : tallies) tally = {};
  for (const std::vector<std::byte>& part : session_.cluster.gather(own)) {
    PacketReader reader(part);
    if (reader.number() != 0) has_dead_ends_.store(true);
    for (Tally& tally : tallies) {
      tally.states += reader.number();
      tally.transitions += reader.number();
    }
  }
}

void StateGraph::find_targets(bool is_any) {
  if (is_any) post_.begin(states_so_far(), arrivals());
  join_->find_targets();
  if (is_any) post_.finish();
}

// A block that did not come would have no edges.
void StateGraph::pack() {
  is_apart_ = kept_ == Kept::accepting && size() >= least_apart_;
  blocks_arrived_ = 0;
  const std::size_t first = edges_.block_of(edges_.nodes());
  post_.begin(states_so_far(), arrivals());
  join_->pack(edges_, size());
  post_.finish();
  edges_.settle();
  if (is_apart_) return;
  std::size_t here = 0;
  for (std::size_t block = first; block < edges_.blocks(); ++block)
    here += post_.is_here(block) ? 1 : 0;
  SPILLWAY_CHECK(here + blocks_arrived_ + first == std::max(first, edges_.blocks()));
}

// Whatever one rank has to read again, all of them read.
bool StateGraph::is_any_lost() const {
  return session_.cluster.any(std::ranges::any_of(workers_, &Worker::is_lost));
}

std::string StateGraph::kept_as() const { return kept_ == Kept::all ? "steps" : "edges"; }

// What cannot be read is made again.
bool StateGraph::take_kept(std::uint64_t end) {
  if (!ends_.empty()) return false;
  try {
    if (!checkpoints_->read_extra(kept_as(), [&](const GetBytes& get) { take_kept(end, get); }))
      return false;
    session_.lookout.announce("the edges between the states were kept, and are read");
    return true;
  } catch (const Error& error) {
    if (error.fault() != Fault::integrity && error.fault() != Fault::system) throw;
    session_.lookout.announce(fmt::format("edges are made again: {}", printable(error.what())));
    edges_.clear();
    ends_.clear();
    targets_ = 0;
    return false;
  }
}

void StateGraph::take_kept(std::uint64_t end, const GetBytes& get) {
  const auto number = [&] {
    std::uint64_t value = 0;
    get({reinterpret_cast<std::uint8_t*>(&value), sizeof value});
    return value;
  };
  const auto refuse = [] {
    throw Error(Fault::integrity, "the edges that were kept are of other levels");
  };
  if (number() != end) refuse();
  const std::vector<Level>& levels = session_.levels.counts().levels;
  for (std::uint64_t i = 0; i < end; ++i) {
    const Node after = number();
    if (after < size() || after - size() > levels[i].states) refuse();
    ends_.push_back(after);
  }
  targets_ = size();
  has_dead_ends_.store(number() != 0);
  edges_.load(get, targets_);
  if (edges_.nodes() != size()) refuse();
}

void StateGraph::keep() {
  keep_when_due(session_, *checkpoints_, kept_as(), [&](const PutBytes& put) {
    const auto put_number = [&](std::uint64_t number) {
      put({reinterpret_cast<const std::uint8_t*>(&number), sizeof number});
    };
    put_number(ends_.size());
    for (const Node after : ends_) put_number(after);
    put_number(has_dead_ends_.load() ? 1 : 0);
    edges_.save(put);
  });
}

// Many steps lead back, so the states before are remembered as far as half of the room suffices.
StateGraph::Extension StateGraph::begin_extension(LevelReader& levels) {
  std::uint64_t room = std::min<std::uint64_t>(
      RecentNodes::rows_in(to_remember(share_), model_.words()), states_so_far());
  // All ranks remember as many, so that they expand the same states at the same time.
  room = ~session_.cluster.most(~room);
  std::uint64_t depth = ends_.size();
  while (depth > 0 && size() - begin(depth - 1) <= room / 2) --depth;
  Extension to{RecentNodes(budget_, model_.words(), room, begin(depth)), size(), size(), true};
  for (; depth < ends_.size(); ++depth)
    read(levels, depth, begin(depth), [&](Node, States rows) { to.recent.add(rows); });
  return to;
}

// Adds the states of the levels before `end` to the join.  All are read once more for that, unless
// no step of any check needed it.
void StateGraph::name_nodes(LevelReader& levels, std::uint64_t end) {
  for (; named_ < end; ++named_)
    read(levels, named_, begin(named_), [&](Node first, States rows) {
      in_parallel(rows.size(), [&](unsigned thread, std::size_t from, std::size_t count) {
        for (std::size_t i = from; i < from + count; ++i)
          if (post_.is_own(rows[i])) join_->add_node(thread, rows[i], first + i);
      });
    });
  for (Worker& worker : workers_) worker.is_lost = false;
}

// When states are expanded depends on the room alone, and not on how many rows come at a time.
void StateGraph::add_level(LevelReader& levels, Extension& to, std::uint64_t depth) {
  read(levels, depth, to.recent.end(), [&](Node, States rows) {
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t count = std::min(rows.size() - begin, room_left(to));
      if (count == 0) {
        expand_some(to);
        continue;
      }
      to.recent.add({rows[begin].data(), count, model_.words()});
      begin += count;
    }
  });
}

// For rows, before others are forgotten that have yet to be expanded.
std::size_t StateGraph::room_left(const Extension& to) {
  if (to.is_finished && !to.may_expand_next) return to.recent.room();
  return to.expanded + to.recent.room() - to.recent.end();
}

// Expands states so that they may be forgotten.
void StateGraph::expand_some(Extension& to) {
  const Node end = to.expanded + to.recent.room() / kPartsOfRoom;
  if (end >= to.level_end) finish_level(to);
  if (end < to.level_end || to.may_expand_next) expand_until(to, end);
}

void StateGraph::finish_level(Extension& to) {
  if (to.is_finished) return;
  expand_until(to, to.level_end);
  Tally& here = to.tallies.emplace_back();
  for (Worker& worker : workers_) here += std::exchange(worker.expanded, {});
  to.is_finished = true;
}

void StateGraph::expand_until(Extension& to, Node end) {
  if (end <= to.expanded) return;
  post_.begin(states_so_far(), arrivals());
  in_parallel(end - to.expanded, [&](unsigned thread, std::size_t first, std::size_t count) {
    expand(thread, to.recent, to.expanded + first, count);
  });
  post_.finish();
  to.expanded = end;
}

void StateGraph::expand(unsigned thread, const RecentNodes& recent, Node first, std::size_t count) {
  Worker& worker = workers_[thread];
  Successors& out = worker.successors;
  out.clear();
  worker.steps.clear();
  for (Node node = first; node < first + count; ++node) {
    if (!post_.is_own(recent.row(node))) continue;
    const std::size_t before = out.size();
    model_.successors(recent.row(node), out);
    ++worker.expanded.states;
    worker.expanded.transitions += out.size() - before;
    list_steps(worker, recent, node, before);
    if (kept_ != Kept::all || out.size() != before) continue;
    if (out.moved())
      has_dead_ends_.store(true);
    else
      post_.send_edge(thread, node, node, 0);
  }
  for (Worker::OpenStep& step : worker.steps) step.guess = recent.guess(step.hash);
  for (const Worker::OpenStep& step : worker.steps) {
    const State target = out.states()[step.target];
    const Node target_node = recent.find(target.data(), step.hash, step.guess);
    if (target_node != RecentNodes::kNone) {
      post_.send_edge(thread, step.source, target_node, step.mark);
    } else {
      post_.send_step(thread, step.source, target, step.mark);
      worker.is_lost = true;
    }
  }
}

// The steps of a state to the successors from `first` on, as far as they are kept.
void StateGraph::list_steps(Worker& worker, const RecentNodes& recent, Node node,
                            std::size_t first) {
  const Successors& out = worker.successors;
  const auto list = [&](std::size_t i, State next, SetMask mark) {
    worker.steps.push_back({node, i, mark, recent.hash(next.data()), 0});
  };
  if (kept_ == Kept::all) {
    for (std::size_t i = first; i < out.size(); ++i) list(i, out.states()[i], 0);
    return;
  }
  const State row = recent.row(node);
  const std::uint32_t part = model_.acceptance_part(row);
  const bool marked = model_.marks_steps();
  const SetMask of_state = !marked && model_.accepting(row) ? 1 : 0;
  for (std::size_t i = first; i < out.size(); ++i)
    if (const State next = out.states()[i]; model_.acceptance_part(next) == part)
      list(i, next, marked ? out.mark(i) : of_state);
}

std::uint64_t StateGraph::level(Node node) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, node) - ends_.begin());
}

void StateGraph::each(LevelReader& levels,
                      const std::function<void(unsigned, Node, State)>& visit) {
  for (std::uint64_t depth = 0; depth < ends_.size(); ++depth)
    read(levels, depth, begin(depth), [&](Node first, States rows) {
      in_parallel(rows.size(), [&](unsigned thread, std::size_t from, std::size_t count) {
        for (std::size_t i = from; i < from + count; ++i) visit(thread, first + i, rows[i]);
      });
    });
  level_->end();
}

std::vector<std::vector<Word>> StateGraph::rows(LevelReader& levels, std::span<const Node> nodes) {
  std::vector<std::vector<Word>> found(nodes.size());
  std::vector<std::size_t> order(nodes.size());  // of increasing numbers
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return nodes[i]; });
  std::size_t next = 0;
  while (next < order.size()) {
    const std::size_t before = next;
    const std::uint64_t depth = level(nodes[order[next]]);
    read(levels, depth, begin(depth), [&](Node first, States rows) {
      for (; next < order.size() && nodes[order[next]] < first + rows.size(); ++next) {
        const State row = rows[nodes[order[next]] - first];
        found[order[next]].assign(row.begin(), row.end());
      }
    });
    SPILLWAY_CHECK(next > before);
  }
  level_->end();
  return found;
}

}  // namespace spillway
