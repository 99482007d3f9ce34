#include "check/graph/step_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

constexpr std::size_t kPartsOfRoom = 8;  // that are forgotten one after the other

}  // namespace

StepMaker::StepMaker(Session& session, Budget& budget, Crew& crew, EdgePost& post,
                     Settings settings)
    : session_(session),
      acceptance_(session.model.acceptance()),
      crew_(crew),
      post_(post),
      settings_(std::move(settings)),
      workers_(crew.size()),
      recent_(budget, session.row_words(), settings_.room, settings_.begin),
      expanded_(settings_.first),
      level_end_(settings_.first) {
  const bool marked =
      settings_.kept == NumberedLevels::Kept::accepting && acceptance_.marks_steps();
  for (unsigned i = 0; i < crew.size(); ++i) session.expanders[i].repeated().want_marks(marked);
}

// When states are expanded depends on the room alone, and not on how many rows come at a time.
void StepMaker::add(States rows) {
  for (std::size_t begin = 0; begin < rows.size();) {
    const std::size_t count = std::min(rows.size() - begin, room_left());
    if (count == 0) {
      expand_some();
      continue;
    }
    recent_.add({rows[begin].data(), count, session_.row_words()});
    begin += count;
  }
}

// For rows, before others are forgotten that have yet to be expanded.
std::size_t StepMaker::room_left() const {
  if (is_finished_ && !may_expand_next_) return recent_.room();
  return expanded_ + recent_.room() - recent_.end();
}

// Expands states so that they may be forgotten.
void StepMaker::expand_some() {
  const Node end = expanded_ + recent_.room() / kPartsOfRoom;
  if (end >= level_end_) finish_level();
  if (end < level_end_ || may_expand_next_) expand_until(end);
}

void StepMaker::begin_level(bool may_expand_next) {
  finish_level();
  level_end_ = recent_.end();
  is_finished_ = false;
  may_expand_next_ = may_expand_next;
}

void StepMaker::finish_level() {
  if (is_finished_) return;
  expand_until(level_end_);
  Tally& here = tallies_.emplace_back();
  for (Worker& worker : workers_) here += std::exchange(worker.expanded, {});
  is_finished_ = true;
}

void StepMaker::expand_until(Node end) {
  if (end <= expanded_) return;
  post_.begin(session_.levels.states_so_far(), settings_.arrivals);
  share_out_states(session_, crew_, end - expanded_,
                   [&](unsigned thread, std::size_t first, std::size_t count) {
                     expand(thread, expanded_ + first, count);
                   });
  post_.finish();
  expanded_ = end;
}

void StepMaker::expand(unsigned thread, Node first, std::size_t count) {
  Worker& worker = workers_[thread];
  Expander& expander = session_.expanders[thread];
  Successors& out = expander.repeated();
  out.clear();
  worker.steps.clear();
  for (Node node = first; node < first + count; ++node) {
    if (!post_.is_own(recent_.row(node))) continue;
    const std::size_t before = out.size();
    expander.again(recent_.row(node));
    ++worker.expanded.states;
    worker.expanded.transitions += out.size() - before;
    list_steps(worker, out, node, before);
    if (settings_.kept != NumberedLevels::Kept::all || out.size() != before) continue;
    if (out.moved())
      worker.met.dead_end = true;
    else
      post_.send_edge(thread, node, node, 0);
  }
  for (Worker::OpenStep& step : worker.steps) step.guess = recent_.guess(step.hash);
  for (const Worker::OpenStep& step : worker.steps) {
    const State target = out.states()[step.target];
    const Node target_node = recent_.find(target.data(), step.hash, step.guess);
    if (target_node != RecentNodes::kNone) {
      post_.send_edge(thread, step.source, target_node, step.mark);
    } else {
      post_.send_step(thread, step.source, target, step.mark);
      worker.met.lost = true;
    }
  }
}

// The steps of a state to the successors from `first` on, as far as they are kept.
void StepMaker::list_steps(Worker& worker, const Successors& out, Node node,
                           std::size_t first) const {
  const auto list = [&](std::size_t i, State next, SetMask mark) {
    worker.steps.push_back({node, i, mark, recent_.hash(next.data()), 0});
  };
  if (settings_.kept == NumberedLevels::Kept::all) {
    for (std::size_t i = first; i < out.size(); ++i) list(i, out.states()[i], 0);
    return;
  }
  const State row = recent_.row(node);
  const std::uint32_t part = acceptance_.part(row);
  const bool marked = acceptance_.marks_steps();
  const SetMask of_state = !marked && acceptance_.accepting(row) ? 1 : 0;
  for (std::size_t i = first; i < out.size(); ++i)
    if (const State next = out.states()[i]; acceptance_.part(next) == part)
      list(i, next, marked ? out.mark(i) : of_state);
}

StepMaker::Met StepMaker::finish() {
  finish_level();
  Met met{};
  for (const Worker& worker : workers_) {
    met.dead_end = met.dead_end || worker.met.dead_end;
    met.lost = met.lost || worker.met.lost;
  }
  agree_on(met);
  compare_with_search();
  return met;
}

// What the ranks have met and expanded together.
void StepMaker::agree_on(Met& met) {
  Packet own;
  own.put(met.dead_end ? 1 : 0);
  own.put(met.lost ? 1 : 0);
  for (const Tally& tally : tallies_) {
    own.put(tally.states);
    own.put(tally.transitions);
  }
  std::ranges::fill(tallies_, Tally{});
  for (const std::vector<std::byte>& part : session_.cluster.gather(own)) {
    PacketReader reader(part);
    if (reader.number() != 0) met.dead_end = true;
    if (reader.number() != 0) met.lost = true;
    for (Tally& tally : tallies_) {
      tally.states += reader.number();
      tally.transitions += reader.number();
    }
  }
}

// Where all states of a level are expanded, they have as many successors as in the search.
void StepMaker::compare_with_search() const {
  const std::vector<Level>& complete = session_.levels.counts().levels;
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    const std::uint64_t depth = settings_.levels + i;
    if (depth >= complete.size() || tallies_[i].states != complete[depth].states) continue;
    if (tallies_[i].transitions == complete[depth].transitions) continue;
    throw Error(
        Fault::model,
        fmt::format("the states of level {} have {} successors when they are expanded again, "
                    "but had {} in the search, so no result can be trusted",
                    depth, with_commas(tallies_[i].transitions),
                    with_commas(complete[depth].transitions)));
  }
}

}  // namespace spillway
