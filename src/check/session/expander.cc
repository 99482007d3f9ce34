#include "check/session/expander.h"

#include <algorithm>

#include "base/process/stop_request.h"

namespace spillway {
namespace {

// A thread looks at clock and signals at most this many states apart, and more often if the model
// takes long for each.
constexpr std::uint64_t kMostBetweenLooks = 256;
constexpr double kOftenSeconds = 0.001;
constexpr double kRarelySeconds = 0.01;

bool has_conditions(const Model& model) {
  return std::any_of(model.properties().begin(), model.properties().end(), [](const Property& p) {
    return p.kind == PropertyKind::invariant || (p.kind == PropertyKind::cover && !p.in_rules);
  });
}

PropertyKind kind_of(const Failure& failure) {
  return failure.assertion ? PropertyKind::assertion : PropertyKind::runtime_error;
}

}  // namespace

Expander::Expander(Expanders& all, unsigned worker)
    : all_(all),
      worker_(worker),
      successors_(all.model_.words()),
      noted_(all.model_.properties().size()) {}

States Expander::expand(State state) {
  if (--until_look_ == 0) look_up();
  const std::size_t before = successors_.size();
  execute(state);
  ++tally_.states;
  ++total_;
  tally_.digest.add(state);
  const States made = successors_.states(before);
  tally_.transitions += made.size();
  if (const std::optional<Failure>& failure = successors_.failure())
    keep(kind_of(*failure), failure->assertion.value_or(0), state, failure);
  else if (!successors_.moved() && is_deadlock(all_.deadlock_, state, made))
    keep(PropertyKind::deadlock, 0, state, {});
  return made;
}

void Expander::execute(State state) {
  in_model_.store(true, std::memory_order_relaxed);
  try {
    if (all_.has_conditions_) {
      const std::size_t count =
          all_.model_.check_and_observe(state, noted_.data(), successors_.observed());
      for (std::size_t i = 0; i < count; ++i) note(noted_[i], state);
    }
    all_.model_.successors(state, successors_);
  } catch (const Stopped&) {  // abandoned: the state is not expanded
    in_model_.store(false, std::memory_order_relaxed);
    all_.lookout_.finish_as_requested();
  }
  in_model_.store(false, std::memory_order_relaxed);
}

void Expander::note(PropertyIndex property, State state) {
  switch (all_.model_.properties()[property].kind) {
    case PropertyKind::invariant: return keep(PropertyKind::invariant, property, state, {});
    case PropertyKind::cover: return all_.covered_[property].store(true, std::memory_order_relaxed);
    default: return;
  }
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

void Expander::keep(PropertyKind kind, PropertyIndex property, State state,
                    const std::optional<Failure>& failure) {
  if (all_.findings_.is_settled(kind, property)) return;
  all_.findings_.add({kind, property, all_.depth_, {state.begin(), state.end()}, failure});
}

Expanders::Expanders(const Model& model, Deadlock deadlock, unsigned threads, Lookout& lookout,
                     Findings& findings, bool is_first)
    : model_(model),
      deadlock_(deadlock),
      lookout_(lookout),
      findings_(findings),
      is_first_(is_first),
      has_conditions_(has_conditions(model)),
      covered_(std::make_unique<std::atomic<bool>[]>(model.properties().size())) {
  for (unsigned i = 0; i < threads; ++i) expanders_.push_back(std::make_unique<Expander>(*this, i));
}

States Expanders::initial() {
  Successors& out = expanders_[0]->successors_;
  out.clear();
  try {
    const InModel in_model(*this);
    model_.initial(out);
  } catch (const Stopped&) {
    lookout_.finish_as_requested();
  }
  if (const std::optional<Failure>& failure = out.failure()) {
    findings_.add({kind_of(*failure), failure->assertion.value_or(0), 0, {}, failure});
    lookout_.finish({});
  }
  initial_states_ = out.size();
  // At once: a search that is resumed in the first level does not make them again.
  Observed elsewhere;
  (is_first_ ? observed_ : elsewhere).take(out.observed());
  return out.states();
}

std::optional<Finding> Expanders::found_again(const Finding& finding) const {
  if (finding.kind == PropertyKind::invariant) {
    std::vector<PropertyIndex> noted(model_.properties().size());
    noted.resize(model_.check(finding.row, noted.data()));
    const bool is_one = finding.property < model_.properties().size() &&
                        model_.properties()[finding.property].kind == PropertyKind::invariant;
    return is_one && std::ranges::count(noted, finding.property) != 0 ? std::optional(finding)
                                                                      : std::nullopt;
  }
  Successors out(model_.words());
  model_.successors(finding.row, out);
  Finding again = finding;
  again.failure = out.failure();
  if (finding.kind == PropertyKind::deadlock)
    return finding.property == 0 && !again.failure && !out.moved() &&
                   is_deadlock(deadlock_, finding.row, out.states())
               ? std::optional(again)
               : std::nullopt;
  return again.failure && kind_of(*again.failure) == finding.kind &&
                 again.failure->assertion.value_or(0) == finding.property
             ? std::optional(again)
             : std::nullopt;
}

bool Expanders::covered(PropertyIndex property) const {
  const auto shows = [&](const Observed& observed) {
    return model_.is_covered(property, observed);
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
