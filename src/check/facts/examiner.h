// What can be said of a state by itself: which properties it violates or shows, and whether a rule
// fails in it or it is a deadlock.  Searches, random walks and steps by hand ask here; only the
// replay of a counterexample looks for itself (check/trace/trace.cc).
#pragma once

#include <optional>
#include <vector>

#include "check/facts/finding.h"
#include "model/model.h"

namespace spillway {

struct Seen {
  PropertyKind kind;
  PropertyIndex property = 0;
  std::optional<Failure> failure = {};

  // It violates the property; otherwise it shows that it holds somewhere.
  bool violates() const { return kind != PropertyKind::cover && kind != PropertyKind::reachable; }
};

// For one thread at a time.
class Examiner {
 public:
  // `with_goals`: reachable properties count as well.  REQUIRES: the model outlives it.
  Examiner(const Model& model, Deadlock deadlock, bool with_goals = false)
      : steps_(model.steps()),
        conditions_(model.conditions()),
        properties_(model.properties()),
        deadlock_(deadlock),
        noted_(model.properties().size()) {
    for (const Property& p : model.properties())
      has_conditions_ = has_conditions_ || p.kind == PropertyKind::invariant ||
                        (p.kind == PropertyKind::cover && !p.in_rules) ||
                        (with_goals && p.kind == PropertyKind::reachable);
  }

  // Appends the successors of the state to `out`.  Calls visit(Seen): before that, for each
  // invariant that is false and each cover or reachable property that is true here; afterwards, if
  // a rule has failed or this is a deadlock.
  template <class Visit>
  void operator()(State state, Successors& out, Visit visit) {
    if (has_conditions_) {
      const std::size_t count = conditions_.check(state, noted_.data(), &out.observed());
      for (std::size_t i = 0; i < count; ++i) visit(Seen{properties_[noted_[i]].kind, noted_[i]});
    }
    const std::size_t before = out.size();
    steps_.successors(state, out);
    if (const std::optional<Failure>& failure = out.failure())
      visit(Seen{kind_of(*failure), failure->assertion.value_or(0), failure});
    else if (!out.moved() && is_deadlock(deadlock_, state, out.states(before)))
      visit(Seen{PropertyKind::deadlock});
  }

 private:
  const Transitions& steps_;
  const Conditions& conditions_;
  const std::vector<Property>& properties_;
  const Deadlock deadlock_;
  bool has_conditions_ = false;
  std::vector<PropertyIndex> noted_;
};

}  // namespace spillway
