#include "program/discarding.h"

#include "program/walk.h"

namespace spillway::program {
namespace {

struct Discards : Visitor {
  using Visitor::operator();
  explicit Discards(const std::vector<bool>& of) : functions(of) {}
  void operator()(const Expr& expr) {
    found = found || (expr.op == Op::call && functions[expr.function]);
  }
  void operator()(const Statement& statement) {
    found = found || statement.what == Do::discard_unless;
  }
  const std::vector<bool>& functions;
  bool found = false;
};

template <class Node>
bool found_in(const Node& node, const std::vector<bool>& functions) {
  Discards discards(functions);
  walk(node, discards);
  return discards.found;
}

}  // namespace

Discarding::Discarding(const Program& program) : functions_(program.functions.size()) {
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < functions_.size(); ++i)
      if (!functions_[i] && found_in(program.functions[i].body, functions_))
        functions_[i] = more = true;
  }
}

bool Discarding::may(const Expr& condition) const { return found_in(condition, functions_); }

bool Discarding::may(const Body& body) const { return found_in(body, functions_); }

}  // namespace spillway::program
