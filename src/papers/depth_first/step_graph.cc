#include "papers/depth_first/step_graph.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash/hash.h"

namespace spillway {
namespace {

constexpr std::uint64_t kClaimed = std::uint64_t{64} << 10;  // bytes of steps drawn at a time

std::uint64_t most_rows(const Budget& budget, std::size_t words) {
  return std::min<std::uint64_t>(budget.limit() / (words * sizeof(Word)) + (1 << 20), UINT32_MAX);
}

}  // namespace

StepGraph::StepGraph(Session& session, Budget& budget, Crew& crew,
                     const StepGraphSettings& settings)
    : session_(session),
      acceptance_(session.model.acceptance()),
      budget_(budget),
      crew_(crew),
      pool_(
          budget, session.model.words(),
          std::max<std::size_t>(1, settings.chunk_bytes / (session.model.words() * sizeof(Word)))),
      table_(budget, pool_, session.model.words(), settings.first_homes),
      most_nodes_(most_rows(budget, session.model.words())),
      steps_(budget, most_nodes_) {
  for (unsigned i = 0; i < crew.size(); ++i) {
    workers_.emplace_back(pool_);
    if (acceptance_.marks_steps()) session.expanders[i].want_marks();
  }
}

std::vector<StepNode> StepGraph::initial() {
  std::vector<StepNode> all;
  const States states = session_.expanders.initial();
  for (const State state : states) {
    StepNode node = 0;
    while (!look_up(workers_[0], state, node)) make_room();
    if (std::ranges::find(all, node) == all.end()) all.push_back(node);
  }
  session_.expanders[0].clear();
  return all;
}

bool StepGraph::expand(unsigned worker, StepNode node) {
  Worker& own = workers_[worker];
  std::atomic<const Steps*>& there = steps_[node];
  if (own.pending != node) {
    const Steps* none = nullptr;
    if (!there.compare_exchange_strong(none, &busy_)) {
      while (there.load(std::memory_order_acquire) == &busy_)
        if (is_crowded()) return false;
      return true;
    }
    Expander& expander = session_.expanders[worker];
    expander.clear();
    expander.expand(row(node));
    if (!session_.findings.empty()) session_.lookout.finish({});
    own.pending = node;
    own.steps.clear();
  }
  if (!insert(worker)) return false;
  finish_steps(own, node);
  return true;
}

bool StepGraph::insert(unsigned worker) {
  Worker& own = workers_[worker];
  const Expander& expander = session_.expanders[worker];
  const States batch = expander.batch();
  const State from = row(*own.pending);
  const std::uint32_t part = acceptance_.part(from);
  const SetMask of_state = !acceptance_.marks_steps() && acceptance_.accepting(from) ? 1 : 0;
  for (std::size_t i = own.steps.size(); i < batch.size(); ++i) {
    StepNode to = 0;
    if (!look_up(own, batch[i], to)) return false;
    const bool inside = part != Acceptance::kNoPart && acceptance_.part(batch[i]) == part;
    own.steps.push_back({to, inside, acceptance_.marks_steps() ? expander.mark(i) : of_state});
  }
  return true;
}

void StepGraph::finish_steps(Worker& worker, StepNode node) {
  const std::uint64_t bytes = worker.steps.size() * sizeof(MarkedStep) + sizeof(Steps) + 32;
  if (bytes > worker.unclaimed) {
    worker.claims.emplace_back(budget_, std::max(kClaimed, bytes));
    worker.unclaimed = std::max(kClaimed, bytes);
  }
  worker.unclaimed -= bytes;
  worker.made.push_back(std::make_unique<Steps>(worker.steps));
  worker.pending.reset();
  steps_[node].store(worker.made.back().get(), std::memory_order_release);
}

// False: the table has to grow.
bool StepGraph::look_up(Worker& worker, State state, StepNode& node) {
  if (!worker.writer.ready())
    throw Error(Fault::memory, "there is no more memory for the states of the search");
  std::uint64_t number = 0;
  const std::uint64_t hash = place_hash(state.data(), state.size());
  const Insert done = table_.insert(state.data(), hash, worker.writer, number);
  if (done == Insert::full) {
    full_.store(true);
    crowded_.store(true);
    return false;
  }
  if (number >= most_nodes_)
    throw Error(Fault::memory, "there are too many states for a search in memory");
  if (done == Insert::fresh) {
    const std::uint64_t met = met_.fetch_add(1) + 1;
    if (met > table_.comfortable_rows()) crowded_.store(true);
  }
  node = static_cast<StepNode>(number);
  return true;
}

void StepGraph::make_room() {
  crowded_.store(false);
  if (!full_.exchange(false) && met_.load() <= table_.comfortable_rows()) return;
  if (!table_.grow(crew_, segments()))
    throw Error(Fault::memory, "there is no more memory for the states of the search");
}

std::vector<RowPool::Segment> StepGraph::segments() const {
  std::vector<RowPool::Segment> all;
  for (const Worker& worker : workers_) worker.writer.peek(all);
  return all;
}

std::uint64_t StepGraph::stored() const { return met_.load(); }

void StepGraph::each(const std::function<void(State)>& visit) const {
  for (const RowPool::Segment& segment : segments())
    for (const State state : pool_.rows(segment)) visit(state);
}

}  // namespace spillway
