#include "check/graph/numbered_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "base/text/quantity.h"
#include "storage/runs/team.h"

namespace spillway {
namespace {

constexpr std::size_t kTakenAtOnce = 64;  // states, by a thread
constexpr std::size_t kAlone = 512;       // states: waking threads does not pay

struct alignas(128) TallyOfThread {
  Tally tally;
};

}  // namespace

NumberedLevels::NumberedLevels(Session& session, Crew& crew, ChunkStore& store, std::uint64_t bytes,
                               Kept kept)
    : session_(session),
      model_(session.model),
      crew_(crew),
      kept_(kept),
      level_(OrderedRows::make(store, crew, session.row_words(), bytes,
                               [&session](unsigned thread) { session.lookout.look_up(thread); })) {}

std::uint64_t NumberedLevels::level(Node node) const {
  return static_cast<std::uint64_t>(std::ranges::upper_bound(ends_, node) - ends_.begin());
}

void NumberedLevels::read(LevelReader& levels, std::uint64_t depth, const VisitRows& visit) {
  level_->begin();
  std::vector<TallyOfThread> tallies(crew_.size());
  levels.each_at_depth(depth, [&](unsigned thread, State row) {
    stop_request::obey();
    Tally& here = tallies[thread].tally;
    ++here.states;
    here.digest.add(session_.expanders[thread].whole(row));
    if (kept_ == Kept::all || model_.acceptance().part(row) != Acceptance::kNoPart)
      level_->add(thread, row);
  });
  Tally read;
  for (const TallyOfThread& one : tallies) read += one.tally;
  compare_with_search(depth, read);
  Node first = begin(depth);
  level_->each([&](States rows) {
    session_.lookout.look_up();
    visit(first, rows);
    first += rows.size();
  });
}

// A state that vanished would take its steps with it, and steps of no state are missed by no sort.
// Of the level that has not been expanded, only the number of states is known.
void NumberedLevels::compare_with_search(std::uint64_t depth, const Tally& read) const {
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

void NumberedLevels::each(LevelReader& levels, std::uint64_t depth, const VisitNode& visit) {
  read(levels, depth, [&](Node first, States rows) {
    share_out_states(session_, crew_, rows.size(),
                     [&](unsigned thread, std::size_t from, std::size_t count) {
                       for (std::size_t i = from; i < from + count; ++i)
                         visit(thread, first + i, rows[i]);
                     });
  });
}

std::vector<std::vector<Word>> NumberedLevels::rows(LevelReader& levels,
                                                    std::span<const Node> nodes) {
  std::vector<std::vector<Word>> found(nodes.size());
  std::vector<std::size_t> order(nodes.size());  // of increasing numbers
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return nodes[i]; });
  std::size_t next = 0;
  while (next < order.size()) {
    const std::size_t before = next;
    read(levels, level(nodes[order[next]]), [&](Node first, States rows) {
      for (; next < order.size() && nodes[order[next]] < first + rows.size(); ++next) {
        const State row = rows[nodes[order[next]] - first];
        found[order[next]].assign(row.begin(), row.end());
      }
    });
    SPILLWAY_CHECK(next > before);
  }
  end();
  return found;
}

void share_out_states(
    Session& session, Crew& crew, std::size_t count,
    const std::function<void(unsigned thread, std::size_t first, std::size_t count)>& work) {
  const Expanders::InModel in_model(session.expanders);
  share_out(crew, (count + kTakenAtOnce - 1) / kTakenAtOnce, count <= kAlone ? 1 : crew.size(),
            [&](unsigned thread, std::size_t part) {
              session.lookout.look_up(thread);  // a level can take minutes
              const std::size_t first = part * kTakenAtOnce;
              work(thread, first, std::min(kTakenAtOnce, count - first));
            });
}

}  // namespace spillway
