// Checks the tree of a model and builds the program from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "language/murphi/murphi.h"
#include "language/murphi/scope.h"
#include "language/murphi/syntax.h"
#include "language/murphi/types.h"
#include "language/source.h"

namespace spillway::murphi {

// Decisions where the tools disagree.
struct Habits {
  bool copies_undefined = false;     // x := y is allowed if y is undefined
  bool passes_by_reference = false;  // records and arrays, even without `var`
  bool clears_scalarsets = true;
};

struct ParameterInfo {
  const Type* type = nullptr;
  bool variable = false;   // declared `var`
  bool reference = false;  // its slot is a reference
  bool written = false;    // the function may change what it refers to
};
// A recursive call that passes one of the function's own parameters, or a part of the state, by
// reference.
struct SelfPass {
  std::size_t to;
  std::optional<std::size_t> from;  // std::nullopt: the state
};
struct FunctionInfo {
  std::vector<ParameterInfo> parameters;
  const Type* result = nullptr;
  bool writes_state = false;
  bool discards = false;  // it may execute an assumption
  bool complete = false;
  bool wrong = false;  // its head has an error
  bool calls_itself = false;
  std::vector<SelfPass> self_passes;
};

class Lowering {
 public:
  Lowering(Source& source, const MurphiOptions& options, Habits habits, MurphiModel& out);

  // Notes errors in the source.  If there are any, the program must not be used.
  void run(const ModelNode& model);
  // Adds a proposition to the program.  REQUIRES: run() has found no errors, and the source has
  // turned to the proposition.  Notes errors in it.
  void add_proposition(const Expression& expression, std::string text);

 private:
  using Body = program::Body;
  using Expr = program::Expr;
  using ExprPtr = program::ExprPtr;
  using Op = program::Op;
  using Place = program::Place;
  using SlotIndex = program::SlotIndex;
  using Statement = program::Statement;

  // The rule, property or function that is being lowered.
  struct Context {
    program::Frame* frame = nullptr;
    std::optional<std::uint32_t> function = std::nullopt;  // its index
    bool pure = false;         // the state must not change: guards and properties
    bool property = false;     // a property or proposition: there is no transition to leave out
    bool constant = false;     // an expression outside of rules and functions
    bool proposition = false;  // of a formula
    std::uint64_t cells = 0;   // of the frame
  };

  // A place and the symbol at its root.
  struct Location {
    Place place;
    Symbol* symbol;
  };

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

  [[noreturn]] static void refuse(Position position, std::string why) {
    Source::refuse(position, std::move(why));
  }

  // lower_wrong.cc
  // Runs `lower`.  If it refuses the text or finds it spoiled, notes the error, restores the scopes
  // and the context, and returns false.
  template <class Lower>
  bool attempt(Lower lower);
  // As lower_truth(), or any condition if there is an error.
  ExprPtr condition(const Expression& expression, const char* what);
  void declare_wrong(const Name& name);
  // Notes names that are not declared, in an expression that is not lowered because of an error.
  void examine_names(const Expression& expression);
  void examine_names(const TypeNode& node);
  void examine_names(const Quantifier& quantifier);  // declares it
  void examine_names(const StatementNode& node);     // without the statements inside
  void examine_switch(const StatementNode& node);    // whose value is wrong
  void note_unknown(const Name& name);

  // lower_names.cc
  Symbol& declare(Means means, const Name& name, const Type* type);
  Symbol& look_up(const Name& name);
  static std::string described(const Symbol& symbol);
  static void mark_read(Symbol& symbol);
  static void mark_written(Symbol& symbol);
  SlotIndex slot(const Name& name, const Type* type, program::Holds holds);
  bool is_undefined_word(const Expression& expression) const;
  // Counts nodes that the text does not spell out, and refuses the model if there are too many.
  void expand(std::uint64_t pieces, Position position);

  // lower_types.cc
  const Type* resolve(const TypeNode& node, const std::string& name);
  const Type* resolve_unlimited(const TypeNode& node, const std::string& name);
  const Type* resolve_name(const TypeNode& node);
  const Type* resolve_range(const TypeNode& node);
  const Type* resolve_enumeration(const TypeNode& node);
  const Type* resolve_record(const TypeNode& node);
  const Type* resolve_array(const TypeNode& node);
  const Type* resolve_union(const TypeNode& node);
  const Type* resolve_multiset(const TypeNode& node);
  const Type* resolve_counted(const TypeNode& node);
  void declare_values(const TypeNode& node, const Type* type);
  std::size_t field(const Type* record, const Name& name);
  std::pair<Value, const Type*> constant(const Expression& expression, const char* what);
  Value constant_number(const Expression& expression, const char* what);

  // lower_declarations.cc
  void lower_global(const Declaration& declaration);
  void lower_locals(const std::vector<Declaration>& declarations);
  void lower_local(const Declaration& declaration);
  void spoil(const Declaration& declaration);
  void declare_constant(const Declaration& declaration);
  void declare_type(const Declaration& declaration);
  void declare_variables(const Declaration& declaration);
  void lower_function(const FunctionNode& node);
  void lower_parameters(const FunctionNode& node, std::uint32_t index);
  static void finish_effects(FunctionInfo& info);
  static bool has_effects(const FunctionInfo& info);
  static void pass_copies(FunctionInfo& info, program::Frame& frame);
  void check_overrides() const;

  // lower_places.cc
  std::optional<Location> location(const Expression& expression);
  Location place_of(const Expression& expression, const char* what);
  Location changeable(const Expression& expression, const char* what);
  Location writable(const Expression& expression, const char* what);  // notes that it is written
  Location bag_of(const Expression& expression, bool written);
  void step_into_field(Location& base, const Expression& expression);
  void step_into_element(Location& base, const Expression& expression);
  std::string about_quantifiers(const Type* index) const;
  ExprPtr bag_index(const Expression& expression);
  void note_write(const Location& location, Position position);

  // lower_expressions.cc
  ExprPtr lower(const Expression& expression);
  ExprPtr lower_any(const Expression& expression);  // including records and arrays
  ExprPtr lower_number(const Expression& expression, const char* what);
  ExprPtr lower_truth(const Expression& expression, const char* what);
  ExprPtr lower_name(const Expression& expression);
  ExprPtr lower_arithmetic(const Expression& expression, Op op);
  ExprPtr lower_shift(const Expression& expression);
  ExprPtr lower_chain(const Expression& expression);
  ExprPtr lower_conditional(const Expression& expression);
  ExprPtr lower_quantified(const Expression& expression);
  ExprPtr lower_is_undefined(const Expression& expression);
  ExprPtr lower_is_member(const Expression& expression);
  ExprPtr lower_multiset_count(const Expression& expression);
  SlotIndex lower_quantifier(const Quantifier& quantifier, program::Range& range);
  void check_steps(const Quantifier& quantifier, const program::Range& range) const;
  const Type* type_of(const Expr& expr) const;
  std::string shown(const Expr& expr) const { return types_.shown(type_of(expr)); }

  // lower_comparisons.cc
  ExprPtr lower_comparison(const Expression& expression);
  ExprPtr compare_whole(const Expression& expression, ExprPtr left, ExprPtr right);
  ExprPtr compare_parts(Place left, Place right, Position position);
  ExprPtr compare_simple_parts(const Place& left, const Place& right, Position position);

  // lower_calls.cc
  ExprPtr lower_call(const Expression& expression, bool result_needed);
  program::Argument lower_argument(const Expression& expression, std::uint32_t function,
                                   std::size_t number);
  Place nothing(const Type* type, Position position);
  void note_pass(const Location& location, std::uint32_t function, std::size_t number,
                 Position position);

  // lower_statements.cc
  void lower_statements(const Statements& statements, Body& out);
  void lower_statement(const StatementNode& node, Body& out);
  void lower_assignment(const StatementNode& node, Body& out);
  void assign_whole(const Expression& value, const Place& target, Position position, Body& out);
  void lower_if(const StatementNode& node, Body& out);
  void lower_switch(const StatementNode& node, Body& out);
  ExprPtr lower_cases(const BranchNode& branch, SlotIndex chosen, const Type* type,
                      Position position);
  void lower_for(const StatementNode& node, Body& out);
  static bool is_search(const Body& body);
  program::StatementPtr as_quantifier(Statement loop);
  void lower_while(const StatementNode& node, Body& out);
  void lower_return(const StatementNode& node, Body& out);
  void lower_cover(const StatementNode& node, Body& out);
  void add_cover_statements();
  // Returns the number of the new property.
  std::uint32_t add_assertion(const std::string& name, Position position);
  void lower_assert(const StatementNode& node, Body& out);
  void lower_multiset(const StatementNode& node, Body& out);

  // lower_aliases.cc
  void lower_alias(const StatementNode& node, Body& out);
  void spoil(const AliasNode& alias);
  Symbol& declare_alias(const AliasNode& alias, bool& must_bind);
  void bind_symbol(Symbol& symbol, Body& out);

  // lower_rules.cc
  void lower_rules(const RuleNode& node);
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
  void lower_priorities();
  ExprPtr is_enabled(PlacedRule& rule);
  std::size_t bound_surroundings(const PlacedRule& rule);
  program::FunctionIndex question(PlacedRule& rule, std::size_t end);
  ExprPtr some_instance(const PlacedRule& rule, std::size_t first);
  ExprPtr asked_of_some(std::vector<Question> questions, ExprPtr condition);

  // Gives up symmetries that the model declares but does not have.
  void give_up_symmetries();

  // warnings.cc
  void warn(Position position, std::string text);
  void warn_if_constant(const Expr& condition, const char* what);
  static bool never_holds(const Expr& condition);
  void warn_about_property(const Expr& condition, const program::Header& header);
  void warn_about_guard(const Expression& written, const Expr& guard,
                        const program::Header& header);
  void warn_about_names();

  Source& source_;
  const MurphiOptions& options_;
  Habits habits_;
  MurphiModel& out_;
  program::Program& program_;
  Types types_;
  Scopes scopes_;
  Context context_;
  program::Frame no_frame_;  // of expressions outside of rules and functions
  std::vector<FunctionInfo> functions_;
  std::vector<const RuleNode*> surrounding_;
  bool has_priorities_ = false;
  std::vector<PlacedRule> placed_rules_;  // only if there are priorities
  // Statements whose properties are added at the end.
  std::vector<program::Statement*> cover_statements_;
  std::unordered_map<const TypeNode*, const Type*> counted_types_;
  std::unordered_map<const Type*, std::unordered_map<std::string_view, std::size_t>> fields_;
  std::uint64_t state_bits_ = 0, state_cells_ = 0;
  std::uint64_t parameter_values_ = 0;
  std::uint64_t expansions_ = 0;
  std::unordered_set<std::string> unknown_;  // names that are not declared, or may not be
};

template <class Lower>
bool Lowering::attempt(Lower lower) {
  const std::size_t depth = scopes_.depth();
  const Context context = context_;
  try {
    lower();
    return true;
  } catch (const Refused& refused) {
    source_.note(refused);
  } catch (const Spoiled&) {
    source_.require_errors();
  }
  while (scopes_.depth() > depth) scopes_.pop();
  context_ = context;
  return false;
}

}  // namespace spillway::murphi
