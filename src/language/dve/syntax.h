// The syntax tree of a DVE model, before names are resolved.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "language/dve/token.h"

namespace spillway::dve {

enum class Form {
  number,
  variable,  // name, or name [ operands[0] ]; of another process: process -> name
  state,     // process . name
  negate,
  bit_not,
  logical_not,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  // Chains with any number of operands, because generated models have very long ones.
  bit_or,
  bit_xor,
  bit_and,
  logical_or,
  logical_and,
  imply,
};

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  Form form = Form::number;
  Position position;
  Value value = 0;
  Name name;
  std::optional<Name> process;
  std::vector<ExpressionPtr> operands;
  bool parenthesised = false;
  std::uint32_t depth = 1;  // of the tree; limited, because it is walked recursively
};

enum class Basic { byte, integer };

struct VariableNode {
  Name name;
  bool constant = false;
  Basic basic = Basic::byte;
  std::optional<Value> size;  // of an array
  Position size_position;
  bool list = false;                  // the values are in braces
  std::vector<ExpressionPtr> values;  // initial ones
};

struct ChannelNode {
  Name name;
  std::vector<Basic> types;  // of the values of a message; empty if unknown
  Value size = 0;            // 0: not buffered, both sides move at once
  Position size_position;
};

struct SyncNode {
  Name channel;
  bool sends = false;
  std::vector<ExpressionPtr> values;  // for a receiver: where they go
};

struct AssignNode {
  Position position;
  ExpressionPtr target, value;
};

struct TransitionNode {
  Position position;
  Name from, to;
  std::vector<ExpressionPtr> guards;
  std::optional<SyncNode> sync;
  std::vector<AssignNode> effects;
};

struct AssertNode {
  Name state;
  ExpressionPtr condition;
};

struct ProcessNode {
  Name name;
  bool wrong = false;  // parts of it are missing because of errors
  std::vector<VariableNode> variables;
  std::vector<Name> states;
  std::optional<Name> init;
  std::vector<Name> committed;
  std::vector<Name> accepting;
  std::vector<AssertNode> asserts;
  std::vector<TransitionNode> transitions;
};

struct ModelNode {
  std::vector<VariableNode> variables;
  std::vector<ChannelNode> channels;
  std::vector<ProcessNode> processes;
  bool synchronous = false;
  std::optional<Name> property;  // the process that observes the others
  // Names in declarations with errors.  Whether they are declared is not known.
  std::unordered_set<std::string> doubtful;
};

}  // namespace spillway::dve
