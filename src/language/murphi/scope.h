// What all parts of the lowering of a Murphi model work on: the program, what names mean, and the
// rule or function that is being lowered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "language/lowering_scope.h"
#include "language/murphi/murphi.h"
#include "language/murphi/scopes.h"
#include "language/murphi/syntax.h"
#include "language/murphi/types.h"

namespace spillway::murphi {

// Decisions where the tools disagree.
struct Habits {
  bool copies_undefined = false;     // x := y is allowed if y is undefined
  bool passes_by_reference = false;  // records and arrays, even without `var`
  bool clears_scalarsets = true;
  bool undefined_counts = false;  // of scalarsets and unions, where CMurphi does not check them
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

class Scope : protected LoweringScope {
 protected:
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

  Scope(Source& source, const MurphiOptions& options, Habits habits, MurphiModel& out)
      : LoweringScope(
            source, out,
            "its aliases, scalarsets and comparisons of records take too much room when they are "
            "expanded"),
        options_(options),
        habits_(habits),
        types_(out.program) {}

  // As LoweringScope::attempt().  After an error, restores the scopes and the context.
  template <class Lower>
  bool attempt(Lower lower) {
    const std::size_t depth = scopes_.depth();
    const Context context = context_;
    if (LoweringScope::attempt(lower)) return true;
    while (scopes_.depth() > depth) scopes_.pop();
    context_ = context;
    return false;
  }

  Symbol& declare(Means means, const Name& name, const Type* type);
  void declare_wrong(const Name& name);
  Symbol& look_up(const Name& name);
  void note_unknown(const Name& name);
  static std::string described(const Symbol& symbol);
  static void mark_read(Symbol& symbol);
  static void mark_written(Symbol& symbol);
  SlotIndex slot(const Name& name, const Type* type, program::Holds holds);
  bool is_undefined_word(const Expression& expression) const;
  void warn_if_constant(const Expr& condition, const char* what);

  const MurphiOptions& options_;
  const Habits habits_;
  Types types_;
  Scopes scopes_;
  Context context_;
  std::vector<FunctionInfo> functions_;
  std::unordered_set<std::string> unknown_;  // names that are not declared, or may not be
};

}  // namespace spillway::murphi
