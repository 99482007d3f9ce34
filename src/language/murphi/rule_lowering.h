// Rules, properties, and the rulesets around them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/murphi/declaration_lowering.h"

namespace spillway::murphi {

class RuleLowering : protected DeclarationLowering {
 protected:
  using DeclarationLowering::DeclarationLowering;

  void lower_rules(const RuleNode& node);
  // Gives the rules the conditions that follow from their priorities.  REQUIRES: the rules have
  // been lowered after keep_rules().
  void lower_priorities();
  // Remembers the rules that are lowered from now on.
  void keep_rules() { keeps_rules_ = true; }

 private:
  // A rule or property under construction, with the parameters and aliases around it.
  struct Surroundings {
    program::Header header;
    std::uint64_t instances = 1;
    std::vector<ExprPtr> elements_exist;  // one for each `choose` around it
    std::vector<Symbol*> late;            // aliases that are bound after the guard
  };

  // A rule, the rulesets around it, and its number among the rules of the program.
  struct PlacedRule {
    const RuleNode* node;
    std::vector<const RuleNode*> surrounding;
    std::size_t index;
    std::optional<program::FunctionIndex> question = {};  // the function that others ask
  };
  // A counter of those that a rule is asked about.
  struct Question {
    SlotIndex slot = 0;
    program::Range range = {};
  };

  // lower_rules.cc
  void lower_rule(const RuleNode& node);
  void lower_property(const RuleNode& node);
  std::uint64_t lower_property_instance(const RuleNode& node,
                                        std::optional<std::uint64_t> instance);
  static void restrict_to(std::uint64_t instance, program::Header& header);
  void surround(const RuleNode& node, Surroundings& around);
  void leave_surroundings();
  void add_parameter(Surroundings& around, SlotIndex slot, std::vector<Value> values,
                     Position position);
  void enter_ruleset(const RuleNode& node, Surroundings& around);
  void enter_choose(const RuleNode& node, Surroundings& around);
  void enter_aliases(const RuleNode& node, Surroundings& around);
  std::vector<Value> parameter_values(const Quantifier& quantifier, const Type*& type);
  ExprPtr element_exists(const Place& bag, const Symbol& number, Position position);

  // lower_priorities.cc
  ExprPtr is_enabled(PlacedRule& rule);
  std::size_t bound_surroundings(const PlacedRule& rule);
  program::FunctionIndex question(PlacedRule& rule, std::size_t end);
  ExprPtr some_instance(const PlacedRule& rule, std::size_t first);
  ExprPtr asked_of_some(std::vector<Question> questions, ExprPtr condition);

  // warnings.cc
  void warn_about_property(const Expr& condition, const program::Header& header);
  void warn_about_guard(const Expression& written, const Expr& guard,
                        const program::Header& header);

  std::vector<const RuleNode*> surrounding_;
  bool keeps_rules_ = false;
  std::vector<PlacedRule> placed_rules_;
  std::uint64_t parameter_values_ = 0;
};

}  // namespace spillway::murphi
