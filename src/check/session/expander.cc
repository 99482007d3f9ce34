#include "check/session/expander.h"

#include <algorithm>

#include "base/error.h"
#include "base/process/stop_request.h"

namespace spillway {
namespace {

// A thread looks at clock and signals at most this many states apart, and more often if the model
// takes long for each.
constexpr std::uint64_t kMostBetweenLooks = 256;
constexpr double kOftenSeconds = 0.001;
constexpr double kRarelySeconds = 0.01;

}  // namespace

Expander::Expander(Expanders& all, unsigned worker)
    : all_(all),
      worker_(worker),
      examiner_(all.model_, all.deadlock_),
      successors_(all.model_.words()),
      repeated_(all.model_.words()) {}

States Expander::expand(State row) {
  if (--until_look_ == 0) look_up();
  const State state = whole(row);
  const std::size_t before = batch_size();
  if (hand_) successors_.clear();
  const std::size_t others = successors_.size();
  examine(state);
  const std::size_t made = successors_.size() - others;
  if (hand_) shorten(batch_);
  ++tally_.states;
  ++total_;
  tally_.digest.add(state);
  tally_.transitions += made;
  return rows_since(before);
}

std::size_t Expander::shorten(Successors& out) {
  const std::size_t before = out.size();
  if (out.room() < successors_.size()) out.make_room(successors_.size());
  for (const State state : successors_.states())
    if (all_.rows_->shorten(state, *hand_, out.rows())) out.add(1);
  return successors_.size() - (out.size() - before);
}

void Expander::examine(State state) {
  in_model_.store(true, std::memory_order_relaxed);
  try {
    examiner_(state, successors_, [&](const Seen& seen) {
      if (seen.kind == PropertyKind::cover)
        all_.covered_[seen.property].store(true, std::memory_order_relaxed);
      if (seen.violates() && !all_.findings_.is_settled(seen.kind, seen.property))
        all_.findings_.add(
            {seen.kind, seen.property, all_.depth_, {state.begin(), state.end()}, seen.failure});
    });
  } catch (const Stopped&) {  // abandoned: the state is not expanded
    in_model_.store(false, std::memory_order_relaxed);
    all_.lookout_.finish_as_requested();
  }
  in_model_.store(false, std::memory_order_relaxed);
}

State Expander::known(State row) { return all_.rows_->whole(row, *hand_); }

void Expander::again(State row) {
  const Transitions& steps = all_.steps_;
  if (!hand_) return steps.successors(row, repeated_);
  successors_.clear();
  steps.successors(whole(row), successors_);
  const std::size_t waiting = shorten(repeated_);
  SPILLWAY_CHECK(waiting == 0);
  if (successors_.moved()) repeated_.set_moved();
}

void Expander::look_up() {
  expanded_.store(tally_.states, std::memory_order_relaxed);
  all_.lookout_.look_up(worker_);
  const double now = all_.lookout_.seconds();
  if (now - last_look_ < kOftenSeconds)
    look_interval_ = std::min(look_interval_ * 2, kMostBetweenLooks);
  else if (now - last_look_ > kRarelySeconds)
    look_interval_ = (look_interval_ + 1) / 2;
  last_look_ = now;
  until_look_ = look_interval_;
}

Expanders::Expanders(const Model& model, Deadlock deadlock, unsigned threads, Lookout& lookout,
                     Findings& findings, bool is_first)
    : model_(model),
      steps_(model.steps()),
      conditions_(model.conditions()),
      deadlock_(deadlock),
      lookout_(lookout),
      findings_(findings),
      is_first_(is_first),
      covered_(std::make_unique<std::atomic<bool>[]>(model.properties().size())) {
  for (unsigned i = 0; i < threads; ++i) expanders_.push_back(std::make_unique<Expander>(*this, i));
}

States Expanders::initial() {
  Successors& out = expanders_[0]->successors_;
  out.clear();
  try {
    const InModel in_model(*this);
    steps_.initial(out);
  } catch (const Stopped&) {
    lookout_.finish_as_requested();
  }
  if (const std::optional<Failure>& failure = out.failure()) {
    findings_.add({kind_of(*failure), failure->assertion.value_or(0), 0, {}, failure});
    lookout_.finish({});
  }
  initial_states_ = out.size();
  if (rows_) {
    expanders_[0]->batch_.clear();
    expanders_[0]->shorten(expanders_[0]->batch_);
  }
  // At once: a search that is resumed in the first level does not make them again.
  Observed elsewhere;
  (is_first_ ? observed_ : elsewhere).take(out.observed());
  return expanders_[0]->batch();
}

void Expanders::use(std::shared_ptr<PartedRows> rows) {
  rows_ = std::move(rows);
  rows_->forget_young();  // of a search that has ended within a level
  for (const auto& expander : expanders_) {
    expander->hand_.emplace(*rows_);
    expander->batch_ = Successors(rows_->words());
    expander->repeated_ = Successors(rows_->words());
  }
}

States Expanders::late() {
  constexpr std::size_t kTogether = 1 << 10;
  if (!rows_) return {};
  Successors& batch = expanders_[0]->batch_;
  const States late = rows_->take_young(kTogether);
  if (batch.room() < late.size()) batch.make_room(late.size());
  std::copy_n(late.data(), late.size() * rows_->words(), batch.rows());
  batch.add(late.size());
  return batch.states();
}

std::optional<Finding> Expanders::found_again(const Finding& finding) const {
  std::optional<Finding> again;
  Successors out(model_.words());
  Examiner(model_, deadlock_)(finding.row, out, [&](const Seen& seen) {
    if (seen.kind != finding.kind || seen.property != finding.property) return;
    again = finding;
    again->failure = seen.failure;
  });
  return again;
}

bool Expanders::covered(PropertyIndex property) const {
  const auto shows = [&](const Observed& observed) {
    return conditions_.is_covered(property, observed);
  };
  return covered_[property].load() || shows(observed_) ||
         std::ranges::any_of(expanders_, [&](const auto& expander) {
           return shows(expander->successors_.observed());
         });
}

Tally Expanders::tally() const {
  Tally sum;
  for (const auto& expander : expanders_) sum += expander->tally_;
  return sum;
}

Tally Expanders::take() {
  const Tally sum = tally();
  for (const auto& expander : expanders_) {
    if (expander->tally_.states != 0) observed_.take(expander->successors_.observed());
    expander->tally_ = {};
    expander->expanded_.store(0, std::memory_order_relaxed);
  }
  return sum;
}

std::uint64_t Expanders::total() const {
  std::uint64_t total = 0;
  for (const auto& expander : expanders_) total += expander->total_;
  return total;
}

std::uint64_t Expanders::expanded() const {
  std::uint64_t expanded = 0;
  for (const auto& expander : expanders_)
    expanded += expander->expanded_.load(std::memory_order_relaxed);
  return expanded;
}

bool Expanders::is_inside_model() const {
  return std::ranges::any_of(expanders_,
                             [](const auto& expander) { return expander->in_model_.load(); });
}

}  // namespace spillway
