// Declarations and functions.
#pragma once

#include <vector>

#include "language/murphi/statement_lowering.h"

namespace spillway::murphi {

class DeclarationLowering : protected StatementLowering {
 protected:
  using StatementLowering::StatementLowering;

  void lower_global(const Declaration& declaration);
  void lower_locals(const std::vector<Declaration>& declarations);
  void lower_function(const FunctionNode& node);
  void check_overrides() const;
  using StatementLowering::spoil;

 private:
  void lower_local(const Declaration& declaration);
  void spoil(const Declaration& declaration);
  void declare_constant(const Declaration& declaration);
  void declare_type(const Declaration& declaration);
  void declare_variables(const Declaration& declaration);
  void lower_parameters(const FunctionNode& node, std::uint32_t index);
  static void finish_effects(FunctionInfo& info);
  static bool has_effects(const FunctionInfo& info);
  static void pass_copies(FunctionInfo& info, program::Frame& frame);
};

}  // namespace spillway::murphi
