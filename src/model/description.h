// How the rules and states of a model are shown to its author.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/state.h"
#include "base/text/diagnostic.h"
#include "model/conditions.h"
#include "model/coverage.h"

namespace spillway {

struct Variable {
  std::string name;
  std::string value;
};

// A variable, or a part of one: a tree with scalars as leaves.
struct StatePart {
  enum class Kind { scalar, record, array, bag };
  std::string name;  // of the variable or field, or the index; empty for elements of a bag
  Kind kind = Kind::scalar;
  std::string value = {};             // of a scalar
  bool defined = true;                // of a scalar
  std::vector<StatePart> parts = {};  // fields, elements, or those elements of a bag that there are
};

// A rule with values of its parameters.
struct RuleInstance {
  std::string name;  // of the rule
  std::vector<Variable> parameters = {};
  std::uint32_t line = 0;  // in the text of the model; 0: unknown
  // That take part in it, in a language that has processes.
  std::vector<std::string> processes = {};
};

// Which part of a violated invariant is false.
struct Explanation {
  std::string text;  // empty if the model cannot say
  std::optional<SourceRange> part = {};
};

class Description {
 public:
  virtual ~Description() = default;
  // All rules have numbers below this one.  0: it is not known.
  virtual RuleIndex rules() const { return 0; }
  virtual std::string rule_name(RuleIndex rule) const = 0;  // "start" for kNoRule
  // What rule_name() says, in its parts.
  virtual RuleInstance rule_instance(RuleIndex rule) const { return {rule_name(rule)}; }
  // The description of a step of a trace, in the terms of the model's language.
  virtual std::string step_text(RuleIndex rule) const { return rule_name(rule); }

  virtual std::vector<Variable> variables(State state) const = 0;
  // The same as trees, for models that know how their variables are made up.
  virtual std::vector<StatePart> parts(State state) const;

  // Of a property that the model itself does not have, nothing is known.
  virtual Explanation explanation(PropertyIndex /*property*/, State /*state*/) const { return {}; }
  // A part of the model's text, for messages; std::nullopt if it is not known.
  virtual std::optional<SourceRange> text_at(SourcePosition /*position*/) const {
    return std::nullopt;
  }
  // What was observed in a search means this; std::nullopt: nothing is observed of this model.
  virtual std::optional<Coverage> coverage(const Observed& /*observed*/) const {
    return std::nullopt;
  }
};

}  // namespace spillway
