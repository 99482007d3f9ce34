#include "program/c/c_function.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/walk.h"

namespace spillway::program {

// Variables of the frame are kept in memory if something refers to them.
struct CFunction::References : Visitor {
  using Visitor::operator();
  explicit References(CFunction& of) : function(of) {}
  void operator()(const Expr& expr) {
    for (const Argument& argument : expr.arguments)
      if (argument.place) take_address(*argument.place);
  }
  void operator()(const Statement& statement) {
    if (statement.what == Do::bind_place) take_address(*statement.place);
  }
  void take_address(const Place& place) {
    if (!place.in_state && function.frame_[place.root].holds == Holds::value)
      function.in_memory_[place.root] = true;
  }
  CFunction& function;
};

void CFunction::look_at(const Expr& expr) {
  References references(*this);
  walk(expr, references);
}

void CFunction::look_at(const Body& body) {
  References references(*this);
  walk(body, references);
}

std::string CFunction::slot_declarations(std::size_t first) const {
  std::string out;
  for (std::size_t i = first; i < frame_.size(); ++i) {
    const Slot& slot = frame_[i];
    switch (slot.holds) {
      case Holds::constant: out += fmt::format("  V l{} = 0; (void)l{};\n", i, i); break;
      case Holds::reference:
        out += fmt::format("  W *m{} = 0; B b{} = 0; (void)m{}; (void)b{};\n", i, i, i, i);
        break;
      case Holds::value:
        if (slot.type->is_scalar() && !in_memory_[i])
          out += fmt::format("  V l{} = {}; (void)l{};\n", i,
                             slot.type->total ? c_number(slot.type->domain.value(1)) : "U", i);
        else
          out += fmt::format("  W m{}[{}] = {{0}}; (void)m{};\n", i, memory_words(*slot.type), i);
    }
  }
  return out;
}

std::string CFunction::parameters(const Function& function) {
  std::string out;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    if (slot.holds == Holds::reference)
      out += fmt::format(", W *m{}, B b{}", i, i);
    else if (is_scalar(slot.type))
      out += fmt::format(", V {}{}", slot.holds == Holds::constant ? "l" : "a", i);
    else
      out += fmt::format(", const W *a{}, B b{}", i, i);
  }
  return out;
}

std::string CFunction::entry(const Function& function) const {
  std::string out;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    if (slot.holds != Holds::value) {
      out += slot.holds == Holds::reference ? fmt::format("  (void)m{}; (void)b{};\n", i, i)
                                            : fmt::format("  (void)l{};\n", i);
      continue;
    }
    if (!slot.type->is_scalar())
      out += fmt::format("  W m{}[{}] = {{0}}; cp(m{}, 0, a{}, b{}, {});\n", i,
                         memory_words(*slot.type), i, i, i, bits_of(*slot.type));
    else if (in_memory_[i])
      out += fmt::format("  W m{0}[2] = {{a{0} == U ? 0 : code{1}(a{0}){2}}};\n", i,
                         tables_.domain(slot.type->domain), slot.type->total ? " - 1" : "");
    else
      out += fmt::format("  V l{} = a{}; (void)l{};\n", i, i, i);
  }
  return out;
}

std::string CFunction::temporary(const Type& type) {
  const std::string name = fresh("c");
  temporaries_ += fmt::format("  W {}[{}] = {{0}};\n", name, memory_words(type));
  return name;
}

}  // namespace spillway::program
