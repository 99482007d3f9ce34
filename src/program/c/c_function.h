// Writes one C function: the statements and expressions of a rule, a property or a function of the
// program.
//
// No name and no text of the model reaches the C text: slots are l0, l1, ..., functions f0, f1, ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/c/c_tables.h"
#include "program/layout.h"
#include "program/program.h"
#include "program/work.h"

namespace spillway::program {

// Words of an array that holds a value of the type, with the padding that makes eight bytes
// readable at any byte.
inline std::uint64_t memory_words(const Type& type) { return (bits_of(type) + 63) / 64 + 1; }
inline bool is_scalar(const Type* type) { return type == nullptr || type->is_scalar(); }

class CFunction {
 public:
  CFunction(const Program& program, const Layout& layout, CTables& tables, Work& work,
            const Frame& frame)
      : program_(program),
        layout_(layout),
        tables_(tables),
        work_(work),
        frame_(frame),
        in_memory_(frame.size()) {}

  // Slots whose address is taken in the body must live in memory.  Call this for the whole body
  // before writing any of it.
  void look_at(const Body& body);
  void look_at(const Expr& expr);

  // `V l3 = U;` and so on for the slots from `first` on.
  std::string slot_declarations(std::size_t first = 0) const;
  // The parameters of a function of the program as C parameters, and the statements on entry.
  static std::string parameters(const Function& function);
  std::string entry(const Function& function) const;

  // The statements that follow belong to a function with this result.
  void be_function(const Type* result, bool recursive) {
    result_ = result;
    in_function_ = true;
    recursive_ = recursive;
  }
  std::string statements(const Body& body);
  // A condition, 0 or 1.
  std::string truth(const Expr& expr) { return scalar(expr); }
  std::string scalar(const Expr& expr);
  // The arrays for results of calls that have been used so far.
  const std::string& temporaries() const { return temporaries_; }

 private:
  struct At {
    std::string base;
    std::string bit;                        // an expression
    std::optional<std::uint64_t> constant;  // if it is known
    bool in_word;                           // a scalar there never crosses a word
  };

  void statement(const Statement& statement, std::string& out);
  // Sets the marks of a statement; `value` is what it assigns.
  static std::string marks(const Statement& statement, const std::string& value = "");
  void assign(const Statement& statement, std::string& out);
  void bind_value(const Statement& statement, std::string& out);
  void leave(const Statement& statement, std::string& out);
  void bag_statement(const Statement& statement, std::string& out);
  void copy_aggregate(const std::string& to, const std::string& to_bit, const Expr& from,
                      std::string& out);
  // Opens a loop that binds the slot to each value of the range.  The caller writes the block that
  // follows.
  std::string loop(const Range& range, SlotIndex slot);

  std::string unmarked_scalar(const Expr& expr);
  std::string raw(const Expr& expr);  // a scalar that may be undefined: U
  std::string arithmetic(const Expr& expr);
  std::string quantified(const Expr& expr);
  std::string bag_count(const Expr& expr);
  std::string call(const Expr& expr, const std::string& result);
  std::string load(const Place& place);  // the code of a scalar
  std::string value_of(const Type& type, const std::string& stored, bool may_be_undefined);
  // Fails if the value is outside.
  std::string code_of(const Domain& domain, const std::string& value, Interval bounds);
  // The statement that fails if the value of a variable is outside; empty if it never is.
  std::string checked(const Domain& domain, const std::string& variable, Interval bounds,
                      bool may_be_undefined);
  // The code of the value of a variable.  Undefined has none, which is 0.
  std::string code_if_defined(const Domain& domain, const std::string& variable, Interval bounds,
                              bool may_be_undefined);
  void store(const Place& place, const std::string& code, std::string& out);

  At at(const Place& place);
  std::string element(const Type& type, const Selector& step, const std::string& base,
                      const std::string& bit, std::optional<std::uint64_t>& constant);
  bool plain(const Place& place) const;  // a scalar slot outside memory
  bool crosses(const Place& place) const;
  Interval bounds_of(const Expr& expr) const;
  std::string depth_text() const { return recursive_ ? "--x->depth; " : ""; }
  std::string fresh(const std::string& prefix) { return prefix + std::to_string(next_++); }
  std::string temporary(const Type& type);
  struct References;

  const Program& program_;
  const Layout& layout_;
  CTables& tables_;
  Work& work_;
  const Frame& frame_;
  std::vector<bool> in_memory_;
  const Type* result_ = nullptr;
  bool in_function_ = false;
  bool recursive_ = false;
  std::string temporaries_;
  unsigned next_ = 0;
};

}  // namespace spillway::program
