// Checks the tree of a model and builds the program from it.
//
// Each transition is lowered once, to a Move.  Rules consist of copies of the parts of moves.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "language/dve/dve.h"
#include "language/dve/syntax.h"
#include "language/source.h"

namespace spillway::dve {

// A variable or constant.
struct Symbol {
  Name name;
  bool constant = false;  // not part of the state
  bool global = false;
  const program::Type* element = nullptr;  // of an array; the type of a variable
  std::optional<Value> size;               // of an array
  std::vector<Value> values;               // of a constant; missing ones are 0
  std::uint32_t index = 0;                 // of the variable
  std::optional<std::uint32_t> look_up;    // the function that returns elements of a constant
  bool read = false, written = false;
};
using Symbols = std::unordered_map<std::string_view, Symbol*>;

struct Channel {
  const ChannelNode* node = nullptr;
  std::optional<std::size_t> values;        // in one message
  std::vector<const program::Type*> types;  // of them, if they are declared
  std::uint32_t index = 0;                  // of its variable, if it is buffered
  bool sent = false, received = false;

  bool buffered() const { return node->size > 0; }
};

class Lowering {
 public:
  Lowering(Source& source, const DveOptions& options, ReadModel& out);

  // Notes errors in the source.  If there are any, the program must not be used.
  void run(const ModelNode& model);
  // Lowers the system without its property process.  REQUIRES: run() of another Lowering has
  // accepted the model.
  void run_without_property(const ModelNode& model);
  // Adds a proposition to the program.  REQUIRES: one of the above has been called, and there were
  // no errors; the source has turned to the proposition.  Notes errors in it.
  void add_proposition(const Expression& expression, std::string text);

 private:
  using Body = program::Body;
  using Expr = program::Expr;
  using ExprPtr = program::ExprPtr;
  using Frame = program::Frame;
  using Op = program::Op;
  using Place = program::Place;
  using Type = program::Type;

  struct Assignment {
    Place target;
    ExprPtr value;
    Position position;
    const Symbol* symbol;
  };

  struct Process;

  // A transition.
  struct Move {
    const TransitionNode* node = nullptr;
    const Process* process = nullptr;
    Value from = 0, to = 0;
    std::vector<ExprPtr> guards;
    bool never = false;  // its guard is always false, and nothing in it fails before that is known
    bool fails = false;  // evaluating its guard may fail
    const Channel* channel = nullptr;
    bool sends = false;
    std::vector<ExprPtr> values;  // that it sends
    std::vector<Place> targets;   // where received values go
    std::vector<Assignment> effects;
  };

  struct Process {
    const ProcessNode* node = nullptr;
    std::uint32_t index = 0;   // of the variable that holds its local state
    std::uint32_t number = 0;  // in the program
    const Type* type = nullptr;
    std::unordered_map<std::string_view, Value> states;
    std::vector<Value> committed;
    Symbols symbols;
    std::vector<Move> moves;  // sorted by their first state
    bool property = false;

    bool is_committed(Value state) const;
  };

  // Moves that happen in one step: one, a sender and a receiver, or one of each process.
  struct JointMove {
    std::vector<const Move*> moves;
    bool pair = false;
  };

  [[noreturn]] static void refuse(Position position, std::string why) {
    Source::refuse(position, std::move(why));
  }
  // Runs `lower`.  If it refuses the text or finds it spoiled, notes the error and returns false.
  template <class Lower>
  bool attempt(Lower lower);
  // Notes names that do not exist, in an expression that is not lowered because of an error.
  void examine_names(const Expression& expression);
  // For a name that does not exist.  It is noted once for each owner: a process, or what it should
  // be.
  [[noreturn]] void refuse_name(const Name& name, std::string_view owner, std::string why);
  static constexpr const char *kChannel = "channel", *kProcess = "process", *kState = "state";
  void warn(Position position, std::string text) {
    out_.warnings.push_back({position, std::move(text)});
  }

  // lowering.cc
  // Counts nodes of the program, and refuses the model if pairs and products take too many.
  void expand(std::uint64_t pieces, Position position);
  ExprPtr again(const Expr& expr);
  Place again(const Place& place);
  std::vector<Place> again_all(const std::vector<Place>& places);

  // lower_types.cc
  const Type* basic(Basic which) const { return which == Basic::byte ? byte_ : int_; }
  const Type* numbers(Value low, Value high);
  const Type* array(Value size, const Type* element);
  const Type* record(std::vector<program::Field> fields);
  const Type* queue(std::vector<program::Field> fields);
  const Type* states_of(const ProcessNode& node, bool with_error);
  std::uint32_t add_variable(std::string name, const Type* type, Position position);
  static std::uint64_t bits(const Type& type);

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
  std::uint32_t look_up_function(const Symbol& symbol);
  void find_property(const ModelNode& model);
  void leave_unchecked(const ProcessNode& property);

  // lower_places.cc
  Place place(std::uint32_t variable, Position position) const;
  Place element(Place base, ExprPtr index) const;
  Place field(Place base, std::size_t number) const;
  Symbol& symbol(const Expression& expression);
  Place target(const Expression& expression, const Symbol** symbol);
  ExprPtr index_of(const Expression& expression, const Symbol& symbol);
  Process& process(const Name& name);
  Value state(const Process& process, const Name& name);
  ExprPtr is_at(const Process& process, Value state, Position position) const;
  ExprPtr is_at_one(const Process& process, const std::vector<Value>& states,
                    Position position) const;
  static void assign(Place to, ExprPtr value, Position position, Body& out);
  static bool begins_with_zero(const Type& type);
  void set_to_zero(Place what, Frame& frame, Body& out);

  // lower_expressions.cc
  ExprPtr lower(const Expression& expression);
  ExprPtr lower_truth(const Expression& expression) { return truth(lower(expression)); }
  ExprPtr lower_variable(const Expression& expression);
  ExprPtr lower_state(const Expression& expression);
  ExprPtr lower_chain(const Expression& expression, Op op, bool logical);
  ExprPtr truth(ExprPtr expr) const;
  ExprPtr right_truth(ExprPtr expr) const;
  ExprPtr number(Value value, Position position) const;
  bool fits(const Expr& value, const Type& type) const;
  ExprPtr cut(ExprPtr value, const Type& type) const;
  ExprPtr fitted(ExprPtr value, const Type& type) const;
  static std::string does_not_fit(Value value, const Name& name, const Type& type);

  // lower_moves.cc
  void lower_moves(Process& process);
  Move lower_move(const Process& process, const TransitionNode& node);
  bool lower_guards(Move& move);  // false: there was an error
  void lower_sync(Move& move);
  bool lower_effects(Move& move);
  static bool never_holds(const Expr& condition);

  // lower_channels.cc
  ExprPtr bind(ExprPtr value, std::string name, const Type* type, Frame& frame, Body& out);
  void bind_indices(Place& place, Frame& frame, Body& out);
  void store(std::vector<Place> targets, std::vector<ExprPtr> values, Frame& frame, Body& out);
  void exchange(const Move& sender, const Move& receiver, Frame& frame, Body& out);
  ExprPtr has_room(const Move& move);
  void operate(const Move& move, std::vector<Place> targets, Frame& frame, Body& out);
  void send(const Move& move, Body& out);
  void receive(const Move& move, std::vector<Place> targets, Frame& frame, Body& out);
  Place message(const Channel& channel, ExprPtr number, std::size_t value, Position position) const;

  // lower_rules.cc
  void lower_rules();
  void lower_asynchronous();
  void lower_synchronous(std::size_t process, JointMove& step);
  void add_step(const JointMove& step);
  void list_transitions();
  void add_rule(const JointMove& step, const Move* property);
  // How many of the processes that move are in committed states.
  enum class Committed { none, some, all };
  Committed committed(const JointMove& step) const;
  std::vector<ExprPtr> conditions(const JointMove& step, const Move* property);
  ExprPtr guard(std::vector<ExprPtr> conditions, Position position) const;
  static std::string name_of(const JointMove& step, const Move* property);

  // lower_steps.cc
  using Copies = std::map<std::uint32_t, program::SlotIndex>;  // of variables, in slots
  void lower_body(const JointMove& step, const Move* property, program::Rule& rule);
  void lower_pair(const Move& sender, const Move& receiver, Frame& frame, Body& out);
  void lower_single(const Move& move, Frame& frame, Body& out);
  void lower_simultaneous(const JointMove& step, Frame& frame, Body& out);
  void read_copies(Expr& expr, const std::set<std::uint32_t>& changed, Copies& copies, Frame& frame,
                   Body& out);
  void add_effects(const Move& move, Body& out);
  static const Symbol* written_twice(const JointMove& step);

  // lower_property.cc
  void lower_property();
  std::uint32_t choice_function(std::string name, const Type* result, std::vector<ExprPtr> values);
  program::SlotIndex add_parameter(program::Rule& rule) const;
  ExprPtr property_call(std::uint32_t function, program::SlotIndex slot, Position position) const;
  void move_property(program::Rule& rule, Position position) const;
  void lower_property_alone();
  std::uint32_t can_move_function();
  static std::string acceptance_name(const ProcessNode& property);
  void lower_accepting();
  program::AcceptanceParts parts(const std::vector<Value>& accepting) const;

  // lower_properties.cc
  void lower_asserts(const Process& process);
  void lower_assert(const Process& process, const AssertNode& node);
  void lower_failure_state();

  // warnings.cc
  void warn_about_states(const Process& process);
  void warn_about_names();
  void sort_warnings();

  Source& source_;
  const DveOptions& options_;
  ReadModel& out_;
  program::Program& program_;
  const Type *byte_, *int_, *truth_;
  std::map<std::pair<Value, Value>, const Type*> numbers_;
  std::map<std::pair<Value, const Type*>, const Type*> arrays_;

  std::deque<Symbol> symbols_;
  Symbols globals_;
  std::deque<Channel> channels_;
  std::unordered_map<std::string_view, Channel*> channel_names_;
  std::deque<Process> processes_;
  std::unordered_map<std::string_view, Process*> process_names_;
  const Process* context_ = nullptr;  // its names are visible, besides the global ones
  Process* property_ = nullptr;
  const ProcessNode* left_out_ = nullptr;    // the property process, if the program excludes it
  const Type* choices_ = nullptr;            // its transitions
  std::uint32_t allows_ = 0, leads_to_ = 0;  // functions of them
  bool synchronous_ = false;
  bool in_proposition_ = false;
  std::unordered_map<const Channel*, std::vector<const Move*>> receivers_;
  program::Rule start_;
  std::vector<JointMove> steps_;  // if there is a property process
  std::unordered_map<const Move*, std::vector<std::uint32_t>> rules_of_;  // that a move is part of
  std::uint64_t state_bits_ = 0, state_cells_ = 0;
  std::uint64_t expansions_ = 0;
  std::set<std::pair<std::string, std::string>> unknown_;      // owners and names that were noted
  const std::unordered_set<std::string>* doubtful_ = nullptr;  // names, of the tree
};

template <class Lower>
bool Lowering::attempt(Lower lower) {
  try {
    lower();
    return true;
  } catch (const Refused& refused) {
    source_.note(refused);
  } catch (const Spoiled&) {
    source_.require_errors();
  }
  return false;
}

}  // namespace spillway::dve
