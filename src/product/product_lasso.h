// A run of a product that goes round a loop for ever, seen as one of the system: judged by what the
// words mean, without marks and automata.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "product/fair_actors.h"
#include "product/product_rows.h"

namespace spillway {

class ProductLasso {
 public:
  // REQUIRES: `run` is of a product of `system` with these rows, and outlives this, as both do.
  ProductLasso(const Model& system, const ProductRows& rows, const Lasso& run);

  // Whether each state is a successor of the one before, the last one is that at the start of the
  // loop, and the run stutters only in states without successors, if it may.
  bool is_run(bool may_stutter) const;
  // Whether it is fair to each actor: some state of the loop disables it, or some step is its own.
  bool is_fair(const FairActors& actors) const;
  // What holds in each state but the last, by evaluate_again().
  std::vector<Letter> letters() const;
  // Why it may not be what the user had in mind, and the option that leaves it out; empty if
  // nothing is known.
  std::string remark() const;

 private:
  struct SystemStep {
    std::vector<Word> state;  // before it
    Successors out;           // of that state
    RuleIndex rule;           // that leads to the next
    bool changes;             // the state
  };
  std::size_t loop_steps() const { return steps_.size() - loop_start_; }
  // Those that are enabled in every state of the loop and never act, in the order of their names.
  template <class NamesOf>
  std::vector<std::string> starved(const NamesOf& names_of) const;

  const Model& system_;
  const std::size_t loop_start_;
  std::vector<SystemStep> steps_;
  std::vector<Word> last_;
};

}  // namespace spillway
