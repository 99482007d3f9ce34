#include "check/ranked_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/quantity.h"
#include "base/stop_request.h"
#include "storage/runs/team.h"

namespace spillway {
namespace {

constexpr std::size_t kTakenAtOnce = 64;  // states, by a thread
constexpr std::size_t kAlone = 512;       // states: waking threads does not pay
constexpr std::uint64_t kBlockNodes = 4096;
constexpr std::uint64_t kLittle = std::uint64_t{64} << 20;  // bytes

std::size_t chunk_bytes(std::uint64_t share) {
  return std::clamp<std::uint64_t>(share / 512, 4 << 10, 64 << 10) - kBlockHeaderBytes;
}

EdgeJoin::Settings join_settings(const Model& model, RankedLevels::Kept kept, std::uint64_t bytes,
                                 unsigned threads, Lookout& lookout) {
  EdgeJoin::Settings settings;
  settings.words = model.words();
  settings.sets = kept == RankedLevels::Kept::all ? 0 : model.acceptance_sets();
  settings.bytes = bytes;
  settings.fan_in = std::clamp<std::uint64_t>(bytes / 64 / threads / chunk_bytes(bytes), 2, 16);
  settings.poll = [&lookout] { lookout.look_up(); };
  return settings;
}

}  // namespace

struct alignas(128) RankedLevels::Worker {
  explicit Worker(std::size_t words) : successors(words) {}
  Successors successors;
  Tally read;      // of the level that was read last
  Tally expanded;  // of the level that was expanded last; without a digest
};

// Nodes and edges leave most of the share to what sorts and merges, and afterwards to those who
// read them.  Where there is little memory, what is read and written at the same time takes half of
// it.
RankedLevels::RankedLevels(Session& session, Budget& budget, Crew& crew, Disk* disk, Kept kept)
    : session_(session),
      model_(session.model),
      crew_(crew),
      kept_(kept),
      share_(budget.left()),
      join_settings_(join_settings(model_, kept, share_ < kLittle ? share_ / 2 : share_ / 4 * 3,
                                   crew.size(), session.lookout)),
      no_disk_("there is too little memory, and this algorithm uses no disk", Fault::memory),
      store_(budget, disk != nullptr ? *disk : no_disk_, chunk_bytes(share_),
             std::max(EdgeJoin::most_block_bytes(join_settings_),
                      OrderedRows::shape(model_.words(), share_ / 8).most_bytes()),
             disk != nullptr ? left_by_others() : share_ / 16),
      level_(OrderedRows::make(store_, crew, model_.words(), share_ / 8)),
      join_(EdgeJoin::make(store_, crew, join_settings_)),
      edges_(budget, 0, kBlockNodes, {disk, left_by_others(), chunk_bytes(share_)}) {
  for (unsigned i = 0; i < crew.size(); ++i) {
    workers_.emplace_back(model_.words());
    workers_.back().successors.want_marks(kept == Kept::accepting && model_.marks_steps());
  }
}

RankedLevels::~RankedLevels() = default;

std::uint64_t RankedLevels::left_by_others() const {
  return share_ < kLittle ? share_ / 8 * 7 : share_ / 4 * 3;
}

bool RankedLevels::is_kept(State row) const {
  return kept_ == Kept::all || model_.acceptance_part(row) != Model::kNoPart;
}

void RankedLevels::in_parallel(std::size_t count,
                               const std::function<void(unsigned, std::size_t)>& work) {
  const Expanders::InModel in_model(session_.expanders);
  share_out(crew_, (count + kTakenAtOnce - 1) / kTakenAtOnce, count <= kAlone ? 1 : crew_.size(),
            [&](unsigned thread, std::size_t part) {
              const std::size_t begin = part * kTakenAtOnce;
              for (std::size_t i = begin; i < std::min(begin + kTakenAtOnce, count); ++i)
                work(thread, i);
            });
}

// A state that vanished would take its steps with it, and steps of no state are missed by no sort.
// Of the level that has not been expanded, only the number of states is known.
void RankedLevels::compare_with_search(std::uint64_t depth) const {
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
void RankedLevels::compare_transitions(std::uint64_t depth) {
  Tally expanded;
  for (Worker& worker : workers_) expanded += std::exchange(worker.expanded, {});
  const std::vector<Level>& complete = session_.levels.counts().levels;
  if (depth >= complete.size() || expanded.states != complete[depth].states) return;
  if (expanded.transitions == complete[depth].transitions) return;
  throw Error(Fault::model,
              fmt::format("the states of level {} have {} successors when they are expanded again, "
                          "but had {} in the search, so no result can be trusted",
                          depth, with_commas(expanded.transitions),
                          with_commas(complete[depth].transitions)));
}

// Calls visit for the states of a level in order.  The first one has the rank `first`.
void RankedLevels::read(LevelReader& levels, std::uint64_t depth, Rank first,
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

void RankedLevels::extend(LevelReader& levels, std::uint64_t end, bool is_all) {
  join_->begin();
  // Those of the first level got their ranks the last time.
  bool nodes = ends_.empty();
  for (std::uint64_t depth = ends_.size(); depth < end; ++depth) {
    const Rank first = size();
    Rank after = first;
    read(levels, depth, first, [&](Rank rank, States rows) {
      expand(rank, rows, nodes, true);
      after = rank + rows.size();
    });
    SPILLWAY_CHECK(nodes || after == targets_);
    compare_transitions(depth);
    ends_.push_back(after);
    targets_ = after;
    nodes = true;
  }
  if (!is_all)
    read(levels, end, targets_, [&](Rank rank, States rows) {
      expand(rank, rows, true, false);
      targets_ = rank + rows.size();
    });
  level_->end();
  join_->join(edges_, size());
}

void RankedLevels::expand(Rank first, States rows, bool nodes, bool steps) {
  in_parallel(rows.size(), [&](unsigned thread, std::size_t i) {
    expand(thread, first + i, rows[i], nodes, steps);
  });
}

void RankedLevels::expand(unsigned thread, Rank rank, State row, bool nodes, bool steps) {
  if (nodes) join_->add_node(thread, row, rank);
  if (!steps) return;
  Successors& out = workers_[thread].successors;
  out.clear();
  model_.successors(row, out);
  ++workers_[thread].expanded.states;
  workers_[thread].expanded.transitions += out.size();
  if (kept_ == Kept::all) {
    for (const State next : out.states()) join_->add_step(thread, rank, next, 0);
    if (out.size() == 0 && !out.moved()) join_->add_step(thread, rank, row, 0);
    if (out.size() == 0 && out.moved()) has_dead_ends_.store(true);
    return;
  }
  const std::uint32_t part = model_.acceptance_part(row);
  const bool marked = model_.marks_steps();
  const SetMask of_state = !marked && model_.accepting(row) ? 1 : 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const State next = out.states()[i]; model_.acceptance_part(next) == part)
      join_->add_step(thread, rank, next, marked ? out.mark(i) : of_state);
}

std::uint64_t RankedLevels::level(Rank rank) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, rank) - ends_.begin());
}

void RankedLevels::each(LevelReader& levels,
                        const std::function<void(unsigned, Rank, State)>& visit) {
  for (std::uint64_t depth = 0; depth < ends_.size(); ++depth)
    read(levels, depth, depth == 0 ? 0 : ends_[depth - 1], [&](Rank first, States rows) {
      in_parallel(rows.size(),
                  [&](unsigned thread, std::size_t i) { visit(thread, first + i, rows[i]); });
    });
  level_->end();
}

std::vector<std::vector<Word>> RankedLevels::rows(LevelReader& levels,
                                                  std::span<const Rank> ranks) {
  std::vector<std::vector<Word>> found(ranks.size());
  std::vector<std::size_t> order(ranks.size());  // of increasing ranks
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return ranks[i]; });
  std::size_t next = 0;
  while (next < order.size()) {
    const std::size_t before = next;
    const std::uint64_t depth = level(ranks[order[next]]);
    read(levels, depth, depth == 0 ? 0 : ends_[depth - 1], [&](Rank first, States rows) {
      for (; next < order.size() && ranks[order[next]] < first + rows.size(); ++next) {
        const State row = rows[ranks[order[next]] - first];
        found[order[next]].assign(row.begin(), row.end());
      }
    });
    SPILLWAY_CHECK(next > before);
  }
  level_->end();
  return found;
}

}  // namespace spillway
