// The syntax tree of a Murphi model, before names and types are resolved.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "language/murphi/token.h"

namespace spillway::murphi {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;
struct TypeNode;
using TypeNodePtr = std::unique_ptr<TypeNode>;

// `i : type` or `i := from to to by by`.
struct Quantifier {
  Name name;
  TypeNodePtr type;
  ExpressionPtr from, to, by;
};

enum class Form {
  number,
  truth,
  name,
  field,    // operands[0] . name
  element,  // operands[0] [ operands[1] ]
  call,     // name ( operands )
  negate,
  bit_not,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  shift_left,
  shift_right,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  // Chains with any number of operands, because generated models have very long ones.
  and_,         // of truth values, or bitwise
  or_,          // of truth values, or bitwise
  xor_,         // bitwise
  logical_and,  // && : of truth values only
  logical_or,   // || : of truth values only
  implies,
  conditional,
  for_all,
  exists,
  is_undefined,
  is_member,       // operands[0] in type
  multiset_count,  // name : operands[0], operands[1]
  wrong,           // the text had an error here
};

struct Expression {
  Form form = Form::number;
  Position position;
  Value value = 0;
  Name name;
  std::vector<ExpressionPtr> operands;
  std::unique_ptr<Quantifier> quantifier;
  TypeNodePtr type;
  std::uint32_t depth = 1;  // of the tree; limited, because it is walked recursively
};

enum class TypeForm {
  name,
  boolean,
  range,
  enumeration,
  record,
  array,
  scalarset,
  union_,
  multiset,
  wrong,  // the text had an error here
};

struct FieldNode {
  std::vector<Name> names;
  TypeNodePtr type;
};

struct TypeNode {
  TypeForm form = TypeForm::name;
  Position position;
  Name name;
  ExpressionPtr from, to;         // range; scalarset and multiset: the size is `to`
  std::vector<Name> names;        // enumeration
  std::vector<FieldNode> fields;  // record
  TypeNodePtr index, element;     // array; multiset: element
  std::vector<TypeNodePtr> members;
  std::uint32_t depth = 1;  // as for expressions
};

enum class DeclarationForm { constant, type, variable };

struct Declaration {
  DeclarationForm form = DeclarationForm::constant;
  std::vector<Name> names;
  ExpressionPtr value;  // constant
  TypeNodePtr type;     // type, variable
};

struct AliasNode {
  Name name;
  ExpressionPtr value;
};

struct StatementNode;
using StatementPtr = std::unique_ptr<StatementNode>;
using Statements = std::vector<StatementPtr>;

enum class StatementForm {
  assign,               // target := value
  if_,                  // branches
  switch_,              // value, branches
  for_,                 // quantifier, branches[0]
  while_,               // branches[0]
  alias,                // aliases, branches[0]
  call,                 // value
  clear,                // target
  undefine,             // target
  error,                // text
  assert_,              // value, text
  assume,               // value, text
  cover,                // value, text
  put,                  // value, or text
  return_,              // value or nothing
  multiset_add,         // value to target
  multiset_remove,      // value from target
  multiset_remove_pred  // name : target, value
};

struct BranchNode {
  std::vector<ExpressionPtr> conditions;  // one for if, several for a case, none for else
  Statements body;
};

struct StatementNode {
  StatementForm form = StatementForm::assign;
  Position position;
  ExpressionPtr target, value;
  std::vector<BranchNode> branches;
  std::unique_ptr<Quantifier> quantifier;
  std::vector<AliasNode> aliases;
  Name name;
  std::string text;
  bool has_text = false;
};

enum class RuleForm { rule, startstate, property, ruleset, alias, choose };
enum class PropertyForm { invariant, assume, cover, liveness };

// In CMurphi, only enabled rules with the smallest number fire.
inline constexpr Value kUsualPriority = 50;

struct RuleNode {
  RuleForm form = RuleForm::rule;
  Position position;
  std::string name;
  bool has_name = false;
  Value priority = kUsualPriority;
  ExpressionPtr guard;  // of a rule; the condition of a property; the multiset of a choose
  PropertyForm property = PropertyForm::invariant;
  std::vector<Declaration> declarations;
  Statements body;
  std::vector<Quantifier> quantifiers;  // ruleset
  std::vector<AliasNode> aliases;       // alias
  Name element;                         // choose
  std::vector<std::unique_ptr<RuleNode>> rules;
};

struct ParameterNode {
  bool by_reference = false;
  std::vector<Name> names;
  TypeNodePtr type;
};

struct FunctionNode {
  Name name;
  bool wrong = false;  // its head has an error
  std::vector<ParameterNode> parameters;
  TypeNodePtr result;  // nullptr for a procedure
  std::vector<Declaration> declarations;
  Statements body;
};

// Exactly one of these.  Items are in the order of the text: a name is visible from its declaration
// on.
struct Item {
  std::unique_ptr<Declaration> declaration;
  std::unique_ptr<FunctionNode> function;
  std::unique_ptr<RuleNode> rule;
};

struct ModelNode {
  std::vector<Item> items;
  bool has_priorities = false;
  bool only_cmurphi = false;  // it uses types that only CMurphi has
  // Names in declarations with errors.  Whether they are declared is not known.
  std::unordered_set<std::string> doubtful;
};

}  // namespace spillway::murphi
