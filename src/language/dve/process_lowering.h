// Variables, channels, processes and their transitions.  Each transition is lowered once, to a Move.
#pragma once

#include <unordered_map>
#include <vector>

#include "language/dve/expression_lowering.h"

namespace spillway::dve {

class ProcessLowering : protected ExpressionLowering {
 protected:
  using ExpressionLowering::ExpressionLowering;

  void declare_all(const ModelNode& model);
  void lower_moves(Process& process);

  std::unordered_map<const Channel*, std::vector<const Move*>> receivers_;

 private:
  // lower_declarations.cc
  void declare(const VariableNode& node, Symbols& scope, const Process* process);
  void declare_or_note(const VariableNode& node, Symbols& scope, const Process* process);
  void declare(const ChannelNode& node);
  void declare(const ProcessNode& node);
  std::vector<Value> constant_values(const VariableNode& node, const std::vector<ExprPtr>& values,
                                     bool global) const;
  void check_overrides() const;
  void begin_at(const Process& process, const Name& init);
  std::vector<ExprPtr> initial_values(const VariableNode& node, const Type* type);
  ExprPtr initial_value(const Expression& expression, const VariableNode& node, const Type* type);
  void initialise(const VariableNode& node, const Symbol& symbol, std::vector<ExprPtr> values);
  void find_property(const ModelNode& model);

  // lower_moves.cc
  Move lower_move(const Process& process, const TransitionNode& node);
  bool lower_guards(Move& move);  // false: there was an error
  void lower_sync(Move& move);
  bool lower_effects(Move& move);
};

}  // namespace spillway::dve
