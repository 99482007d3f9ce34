// A model: a finite transition system with properties, in whatever language it was written.
//
// All functions of its parts may be called from many threads at once.
//
// It is put together from parts.  A model that wraps another one has a copy of its composition, in
// which it has replaced what it changes; all else is shared, and costs no call of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bit_range.h"
#include "model/acceptance.h"
#include "model/conditions.h"
#include "model/description.h"
#include "model/transitions.h"

namespace spillway {

// The levels of a search from one on, and what executed the model in them.
struct ExecutedLevels {
  std::string_view by;  // "interpreter", "tcc" or "optimized"
  std::uint64_t first_level;
};

// What executes a model, which may change in the course of a search.
class Runtime {
 public:
  virtual ~Runtime() = default;
  // Gets the model ready to be executed, which may take as long as a compiler takes.  To be called
  // once, before anything else is executed; without it, execution may be slow.  Returns early if a
  // stop is requested.  Throws Error(system).
  virtual void prepare() const {}
  // To be called between two levels of a search, when no thread executes the model: level `level`,
  // with `states` states, comes next.  The model may change how it is executed.  What it computes
  // stays the same, in the same order.  Throws Stopped.
  virtual void before_level(std::uint64_t /*level*/, std::uint64_t /*states*/) const {}
  // How it has been executed so far; empty if there is only one way.  Any thread.
  virtual std::vector<ExecutedLevels> executions() const { return {}; }
  // The memory that before_level() may yet take, at most.
  virtual std::uint64_t bytes_to_come() const { return 0; }
};

inline const Runtime kOneRuntime;

class Model;

// REQUIRES: what it points to outlives all models that have it.
struct Composition {
  const Transitions* steps = nullptr;
  const Description* description = nullptr;
  const Conditions* conditions = &kNoConditions;
  const Acceptance* acceptance = &kNoAcceptance;
  const Runtime* runtime = &kOneRuntime;
  const Quotient* quotient = &kNoQuotient;
  // The model of the states that those of this one represent; nullptr: of themselves.
  const Model* concrete = nullptr;

  std::string name = {};
  std::vector<Property> properties = {};
  Deadlock deadlock = Deadlock::off;  // the convention of the model's language
  // While there are any, the model cannot be verified as a whole.
  std::vector<Unchecked> unchecked = {};
  // States in which one of these is false are left out.
  std::vector<std::string> assumptions = {};
  // Whether successors() may leave one out because of an assumption, of whatever kind.  False is
  // certain.
  bool may_leave_out = true;
  std::size_t free_bits = 0;  // the most significant bits of rows that are known to be zero
  // Bits of a row that belong together, as those of a record do.  Each bit is in one of them at
  // most.
  std::vector<BitRange> records = {};
  // What a row means, as far as this program has chosen it, and another one may choose otherwise
  // for the same text: where the variables are, and the automaton of a product (empty: there is
  // none).  Rows of two models with the same texts mean the same, if the text of the model is the
  // same.
  std::string layout = {};  // empty: the numbers of words and bits say it
  std::string automaton = {};
};

class Model {
 public:
  explicit Model(Composition composition) : composition_(std::move(composition)) {}
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Composition& composition() const { return composition_; }
  const Transitions& steps() const { return *composition_.steps; }
  const Description& description() const { return *composition_.description; }
  const Conditions& conditions() const { return *composition_.conditions; }
  const Acceptance& acceptance() const { return *composition_.acceptance; }
  bool has_acceptance() const { return acceptance().property().has_value(); }
  const Runtime& runtime() const { return *composition_.runtime; }
  const Quotient& quotient() const { return *composition_.quotient; }
  const Model& concrete() const {
    return composition_.concrete != nullptr ? *composition_.concrete : *this;
  }

  const std::string& name() const { return composition_.name; }
  std::size_t words() const { return steps().words(); }  // per row
  const std::vector<Property>& properties() const { return composition_.properties; }
  Deadlock deadlock() const { return composition_.deadlock; }
  const std::vector<Unchecked>& unchecked() const { return composition_.unchecked; }
  const std::vector<std::string>& assumptions() const { return composition_.assumptions; }
  std::string layout() const;
  const std::string& automaton() const { return composition_.automaton; }

 protected:
  Composition composition_;
};

// A model that is all of its parts itself, as those of languages are.
class WholeModel : public Transitions,
                   public Conditions,
                   public Acceptance,
                   public Description,
                   public Model {
 public:
  explicit WholeModel(std::string name)
      : Model({.steps = this,
               .description = this,
               .conditions = this,
               .acceptance = this,
               .name = std::move(name)}) {}
};

}  // namespace spillway
