// What all parts of the lowering of a DVE model work on: the program, its types, and what names
// mean.
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
#include "language/lowering_scope.h"

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

class Scope : protected LoweringScope {
 protected:
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

  Scope(Source& source, const DveOptions& options, ReadProgram& out);

  // For a name that does not exist.  It is noted once for each owner: a process, or what it should
  // be.
  [[noreturn]] void refuse_name(const Name& name, std::string_view owner, std::string why);
  static constexpr const char *kChannel = "channel", *kProcess = "process", *kState = "state";

  // Copies that are counted.
  ExprPtr again(const Expr& expr);
  Place again(const Place& place);
  std::vector<Place> again_all(const std::vector<Place>& places);

  // Types.
  const Type* basic(Basic which) const { return which == Basic::byte ? byte_ : int_; }
  const Type* numbers(Value low, Value high);
  const Type* array(Value size, const Type* element);
  const Type* record(std::vector<program::Field> fields);
  const Type* queue(std::vector<program::Field> fields);
  const Type* states_of(const ProcessNode& node, bool with_error);
  std::uint32_t add_variable(std::string name, const Type* type, Position position);

  const DveOptions& options_;
  const Type *byte_, *int_, *truth_;
  std::deque<Symbol> symbols_;
  Symbols globals_;
  std::deque<Channel> channels_;
  std::unordered_map<std::string_view, Channel*> channel_names_;
  std::deque<Process> processes_;
  std::unordered_map<std::string_view, Process*> process_names_;
  const Process* context_ = nullptr;  // its names are visible, besides the global ones
  Process* property_ = nullptr;
  const ProcessNode* left_out_ = nullptr;  // the property process, if the program excludes it
  bool in_proposition_ = false;
  bool synchronous_ = false;
  program::Rule start_;
  std::set<std::pair<std::string, std::string>> unknown_;      // owners and names that were noted
  const std::unordered_set<std::string>* doubtful_ = nullptr;  // names, of the tree

 private:
  static std::uint64_t bits(const Type& type);

  std::map<std::pair<Value, Value>, const Type*> numbers_;
  std::map<std::pair<Value, const Type*>, const Type*> arrays_;
};

}  // namespace spillway::dve
