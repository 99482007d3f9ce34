// Programs: typed guarded commands over a finite state.  Every modelling language is lowered to
// one.
//
// It is executed by the interpreter, which is the reference, and by C code generated from it.
//
// State.  The values of all variables.  Every variable is undefined at first.
// Rules.  A rule has one instance for each tuple of values of its parameters.  In a state, each
// instance whose guard is true makes one successor by executing its body on a copy of the state.
// Frames.  A rule, a property and a function each have a frame of slots: parameters, local
// variables, counters of loops and quantifiers, aliases.  A slot is never used for two of them.
// Errors.  Reading an undefined value, leaving a domain, dividing by zero, overflowing 64 bits, or
// too many iterations of a loop: the execution of the rule ends with a failure.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/property_kind.h"
#include "base/text/diagnostic.h"
#include "program/type.h"

namespace spillway::program {

using Position = SourcePosition;

// Slots of a frame --------------------------------------------------------------------------------

enum class Holds {
  constant,   // a scalar that is bound once and never assigned: parameters of rules, counters, let
  value,      // a variable of its own: undefined when the frame is entered
  reference,  // another place: aliases, parameters by reference
};

struct Slot {
  std::string name;
  const Type* type = nullptr;  // nullptr: a constant that may be any number
  Holds holds = Holds::value;
};

using SlotIndex = std::uint32_t;
using Frame = std::vector<Slot>;

// Expressions -------------------------------------------------------------------------------------

struct Expr;
struct Statement;

// Destroys a tree of expressions or statements.  It is out of line to keep compile times down:
// otherwise every source that holds a tree would instantiate all destructors.
struct Destroy {
  Destroy() = default;
  template <class Node>
  Destroy(std::default_delete<Node>) {}  // what std::make_unique returns
  void operator()(Expr* expr) const;
  void operator()(Statement* statement) const;
};

using ExprPtr = std::unique_ptr<Expr, Destroy>;
using StatementPtr = std::unique_ptr<Statement, Destroy>;

struct Selector {
  std::size_t field = 0;  // of a record, if there is no index
  ExprPtr
      index;  // of an array: a value of its index type.  Of a bag: the number of an element, from 0
};

// Where something is stored: a variable or slot, and the path into it.
struct Place {
  // The root is a variable of the state, otherwise a slot that holds a value or reference.
  bool in_state = false;
  std::uint32_t root = 0;
  std::vector<Selector> steps;
  const Type* type = nullptr;  // of what is there
  Position position;
};

enum class Op {
  literal,  // value
  slot,     // the constant in `slot`; undefined only if such a value counts
  read,     // what is at `place`; undefined is an error (see Undefined), except when the whole is
            // assigned or passed (see Assign)
  call,     // of `function` with `arguments`; its result, which is as what is read
  // One or two operands, numbers to a number.
  negate,
  add,
  subtract,
  multiply,
  divide,     // towards zero
  remainder,  // with the sign of the dividend
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  shift_left,   // by a negative number: to the right.  Bits that leave the number are an error, but
                // by 64 and more: 0
  shift_right,  // keeps the sign; by a negative number: to the left
  // Two scalars to a truth value (0 or 1).  Undefined, where it counts, is equal to undefined only.
  equal,
  unequal,
  less,
  less_equal,
  // Truth values to a truth value; the second operand is evaluated only if it matters.
  logical_not,
  logical_and,
  logical_or,
  implies,
  // Others.
  conditional,  // operands: truth value, then, else
  for_all,      // for all values of `range` bound to `slot`: operands[0]
  exists,
  is_undefined,  // place
  is_member,     // operands[0] is in the domain of `type`; undefined is in none
  bag_count,     // number of the elements of the bag at `place` for which operands[0] holds, its
                 // number bound to `slot`
};

// The values that a counter takes, in order.
struct Range {
  const Type* type = nullptr;  // all of a scalar type; otherwise:
  ExprPtr from, to, by;        // from, from + by, ... up to `to` (down, if by < 0).  No `by`: 1
  // The order of the values must not matter: identities, numbers of elements of a bag.  A
  // quantifier evaluates all of them, so that it fails if it fails for any one, whichever comes
  // first.
  bool unordered = false;
};

// What an undefined value is to the expression that would have it.
enum class Undefined {
  fails,    // a failure
  differs,  // a failure, too, but not by every reading of the language: the message says so
  counts,   // a value beside all others, which equals itself only
};

// An argument of a call: an expression for a parameter by value, a place for one by reference.  An
// undefined scalar can be passed to a parameter that holds a value, but not to a constant.
struct Argument {
  ExprPtr value;
  std::optional<Place> place;
};

using FunctionIndex = std::uint32_t;

// A mark is set once something has happened; program/observation.h numbers them.
inline constexpr std::uint32_t kNoMark = 0xffffffff;

struct Expr {
  Op op = Op::literal;
  // Of the result: a scalar type, or nullptr for a number without bounds of its own.  Only read and
  // call have record, array or bag types.
  const Type* type = nullptr;
  Position position;
  Value value = 0;
  SlotIndex slot = 0;
  Undefined undefined = Undefined::fails;  // of a read, a call or a slot
  std::optional<Place> place;
  FunctionIndex function = 0;
  std::vector<Argument> arguments;
  Range range;
  std::vector<ExprPtr> operands;
  std::uint32_t mark = kNoMark;  // of a truth value: set whenever it is evaluated and true
};

// Whether an undefined value may be the result, because it counts.
bool may_be_undefined(const Expr& expr);

// True if two places or expressions certainly mean the same when one is evaluated right after the
// other: equal literals, slots and places.  False means nothing.
bool alike(const Place& a, const Place& b);
bool alike(const Expr& a, const Expr& b);

// Statements --------------------------------------------------------------------------------------

using Body = std::vector<StatementPtr>;

enum class Do {
  assign,  // place := value.  A scalar must be in the domain of the place.  Whole records, arrays
           // and bags are copied with their undefined parts; they have the same type on both sides
  bind_value,  // slot (a constant, or a value) := value, from here on.  An undefined scalar can be
               // bound where it counts
  bind_place,  // slot (a reference) := place, from here on
  undefine,    // place and all inside it
  clear,       // place and all inside it := the first value of each domain; bags become empty
  choose,      // if: the first of `branches` whose condition holds, or is missing
  loop_over,   // for the values of `range` bound to `slot`: body
  loop_while,  // while branches[0].condition: branches[0].body
  call,        // value: a call whose result is not used
  leave,       // return from a function (with value) or end a rule
  fail,        // with `text`
  require,  // value must hold: violates the assertion `property`, or fails with `text` if there is
            // none
  discard_unless,  // value must hold, or there is no such successor.  Not in what properties call
  cover,           // sets its marks if value holds: has the cover property `property` held
  bag_add,         // value to the bag at place; a failure if it is full
  bag_remove,      // the element with number `value` from the bag at place
  bag_remove_if,  // all elements of the bag at place for which `value` holds, their number bound to
                  // `slot`.  All are there until it is known for each whether it goes: their order
                  // makes no difference
};

struct Branch {
  ExprPtr condition;  // may be missing for the last
  Body body;
};

inline constexpr std::uint32_t kNoAssertion = 0xffffffff;

struct Statement {
  Do what = Do::assign;
  Position position;
  std::optional<Place> place;
  ExprPtr value;
  // For assign: copying an undefined scalar is allowed.
  bool undefined_allowed = false;
  SlotIndex slot = 0;
  Range range;
  std::vector<Branch> branches;  // choose, loop_while; a loop_over has its body in branches[0]
  std::string text;
  std::uint32_t property = kNoAssertion;
  // What is observed of it (program/observation.h): marks that are set when it is executed, ...
  std::vector<std::uint32_t> marks;
  bool marks_value = false;   // ... the mark of the value that is assigned, ...
  std::uint32_t counter = 0;  // ... and, of a discard_unless, what counts the successors it cuts.
};

// Rules, properties, functions --------------------------------------------------------------------

struct Parameter {
  SlotIndex slot = 0;         // a constant
  std::vector<Value> values;  // that it takes, in order
};

// What rules and properties have in common: parameters, and aliases bound before anything else.
struct Header {
  std::string name;
  Position position;
  Frame frame;
  std::vector<Parameter> parameters;  // the first changes slowest
  Body bindings;                      // bind_value and bind_place only

  std::uint64_t instances() const;
  // The values of the parameters of an instance, in their order.
  std::vector<Value> arguments(std::uint64_t instance) const;
};

struct Rule {
  Header header;
  ExprPtr guard;  // may be missing: always
  Body body;
  std::vector<std::uint32_t> processes = {};  // that take part in it
};

using spillway::PropertyKind;

struct Property {
  PropertyKind kind = PropertyKind::invariant;
  Header header;
  ExprPtr condition;  // of an assertion, and of a cover that stands in rules: none here
};

struct Function {
  std::string name;
  Position position;
  Frame frame;  // the parameters first
  std::size_t parameters = 0;
  const Type* result = nullptr;  // nullptr: none
  Body body;
};

struct Variable {
  std::string name;
  const Type* type;
  Position position;
};

// Values that can be exchanged for each other everywhere: the identities of symmetric components.
struct Symmetry {
  std::string name;
  Interval identities;
};

enum class DeadlockRule { off, stuck, stuttering };

// How the language announces a step; {} stands for the name of the rule and its parameters.
struct Words {
  std::string started = "{}";
  std::string fired = "{}";
};

// What an author calls a rule, where it has become several rules or a part of some.
struct WrittenRule {
  std::string name;
  Position position;
  std::vector<std::uint32_t> rules;  // in the program
};

// Values with names, which have marks from `first_mark` on.
struct MarkedValues {
  Interval interval;
  std::uint32_t first_mark = 0;
};

// A property of the model that is not part of the program.
struct Unchecked {
  std::string name;
  bool acceptance = true;  // otherwise an invariant
};

// What a scalar variable says about accepting cycles: its value stays within one part on them.
struct AcceptanceParts {
  static constexpr std::uint32_t kNone = UINT32_MAX;  // of a value on no accepting cycle
  std::uint32_t variable = 0;
  std::vector<std::uint32_t> of_value;  // values are 0, 1, ...
};

struct Program {
  std::string name;
  std::string text;  // that it was read from, for messages; positions refer to it
  Words words;
  std::string about_undefined;  // what messages add where Undefined::differs
  std::deque<Type> types;       // owns all types; pointers into it stay valid
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Rule> starts;  // executed on the undefined state; a guard is allowed
  std::vector<Rule> rules;
  std::vector<WrittenRule> written;  // empty: the rules are as they were written
  std::vector<Property> properties;
  std::vector<Symmetry> symmetries;
  std::vector<Unchecked> unchecked;
  // States in which the condition holds are accepting; its kind does not matter.
  std::optional<Property> accepting;
  std::optional<AcceptanceParts> acceptance_parts;
  // Of formulas.  Each has one instance; its name is its text, its kind does not matter, and its
  // positions do not refer to the text of the program.
  std::vector<Property> propositions;
  std::vector<std::string> processes;  // names, in a language that has processes
  // If present, a rule that fails does not end the search.  Its successor is then the state that
  // this body makes from the initial, unassigned state.  A guard that fails counts as true.
  // REQUIRES: the body does not fail, and there are no assumptions.
  std::optional<Rule> failure_state;
  DeadlockRule deadlock = DeadlockRule::stuttering;
  std::uint64_t loop_limit = 0;  // iterations of one loop_while; 0: the interpreter's own
  // What is observed while it is executed: see program/observation.h.  0: nothing.
  std::uint32_t counters = 0;
  std::uint32_t marks = 0;
  std::vector<MarkedValues> marked_values;
};

// The number of a property among those that are reported, which are all except assumptions.
std::uint32_t reported_number(const Program& program, std::size_t property);

}  // namespace spillway::program
