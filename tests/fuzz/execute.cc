#include "execute.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/c/generate_c.h"
#include "program/interpreter.h"
#include "program/symmetry/symmetry.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMostBits = 512;
constexpr program::InstanceIndex kMostInstances = 2000;
constexpr std::size_t kMostStates = 8;
constexpr std::uint64_t kMostTurns = 16;  // of a while
constexpr double kMostSteps = 1e5;        // for all rules and properties in one state

// Ends the process, so that the fuzzer keeps the input.
void demand(bool holds) {
  if (!holds) std::abort();
}

// How long an execution can take, in steps.  A model may well have more than anyone has time for.
class Cost {
 public:
  explicit Cost(const program::Program& program) : program_(program) {
    double assumptions = 0;  // evaluated after every rule
    for (const program::Property& property : program.properties)
      if (property.kind == program::PropertyKind::assumption)
        assumptions += static_cast<double>(property.header.instances()) * of(property.condition);
    for (const auto* rules : {&program.starts, &program.rules})
      for (const program::Rule& rule : *rules)
        add(rule.header, of(rule.guard) + of(rule.body) + assumptions);
    for (const auto* properties : {&program.properties, &program.propositions})
      for (const program::Property& property : *properties)
        add(property.header, of(property.condition));
  }
  double total = 0;

 private:
  static constexpr double kUnknown = 1000;  // turns of a loop with ends that are computed

  void add(const program::Header& header, double once) {
    total += static_cast<double>(header.instances()) * (once + of(header.bindings));
  }
  static double literal(const program::ExprPtr& expr) {
    return expr && expr->op == program::Op::literal ? static_cast<double>(expr->value) : kUnknown;
  }
  static double turns(const program::Range& range) {
    if (range.type != nullptr) return static_cast<double>(range.type->domain.size());
    return std::abs(literal(range.to) - literal(range.from)) + kUnknown;
  }
  double of(const program::Place& place) {
    double sum = place.type != nullptr ? static_cast<double>(program::cells(*place.type)) : 1;
    for (const program::Selector& step : place.steps) sum += of(step.index);
    return sum;
  }
  double of(const program::ExprPtr& expr) {
    if (!expr) return 0;
    double sum = 1;
    if (expr->place) sum += of(*expr->place);
    for (const program::Argument& argument : expr->arguments)
      sum += of(argument.value) + (argument.place ? of(*argument.place) : 0);
    for (const program::ExprPtr& operand : expr->operands) sum += of(operand);
    if (expr->op == program::Op::for_all || expr->op == program::Op::exists)
      sum *= turns(expr->range);
    if (expr->op == program::Op::bag_count) sum *= static_cast<double>(expr->place->type->capacity);
    if (expr->op == program::Op::call) sum += of(expr->function);
    return sum;
  }
  double of(program::FunctionIndex function) {
    const auto [known, fresh] = functions_.try_emplace(function, 1e30);  // it may call itself
    if (!fresh) return known->second;
    double sum = of(program_.functions[function].body);
    for (const program::Slot& slot : program_.functions[function].frame)
      sum += slot.type != nullptr ? static_cast<double>(program::cells(*slot.type)) : 1;
    return functions_[function] = sum;
  }
  double of(const program::Body& body) {
    double sum = 0;
    for (const auto& statement : body) {
      double one = 1 + of(statement->value) + (statement->place ? of(*statement->place) : 0);
      for (const program::Branch& branch : statement->branches)
        one += of(branch.condition) + of(branch.body);
      if (statement->what == program::Do::loop_over) one *= turns(statement->range);
      if (statement->what == program::Do::loop_while) one *= kMostTurns;
      if (statement->what == program::Do::bag_remove_if)
        one *= static_cast<double>(statement->place->type->capacity);
      sum += one;
    }
    return sum;
  }

  const program::Program& program_;
  std::map<program::FunctionIndex, double> functions_;
};

bool is_small(const program::Program& program) {
  if (program::Layout(program).bits() > kMostBits) return false;
  return program::Instances(program).count() <= kMostInstances;
}

// States as successors() gives them: packing what was unpacked makes the same row.
void look_at(const program::Layout& layout, State state) {
  std::vector<program::Value> values(layout.cells().size());
  std::vector<Word> again(layout.words());
  layout.unpack(state, values.data());
  layout.pack(values.data(), again.data());
  demand(equal(state, again));
}

}  // namespace

std::vector<PropositionText> cut_propositions(std::string_view& text) {
  const std::string whole(text);
  std::vector<PropositionText> all;
  while (all.size() < 4) {
    const std::size_t at = text.rfind("\n@");
    if (at == std::string_view::npos) break;
    const std::string_view before = text.substr(0, at + 2);
    const auto line =
        static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
    // As the first line may end with a carriage return, the whole is not always the text.
    const bool plain = whole.find('\r') == std::string::npos;
    all.push_back({std::string(text.substr(at + 2)), "fuzz", plain ? line : 1, plain ? 2U : 1U,
                   plain ? whole : ""});
    text = text.substr(0, at);
  }
  return all;
}

void execute(program::Program program) {
  if (!is_small(program)) return;
  program::generate_c(program);
  program.loop_limit = kMostTurns;
  if (Cost(program).total > kMostSteps) return;
  program::Interpreter interpreter(program);
  const program::Symmetries symmetries(program, program::Canonical::heuristic);
  std::vector<std::vector<Word>> states;
  const auto keep = [&](const Word* row, program::InstanceIndex instance) {
    const std::vector<Word> state(row, row + interpreter.layout().words());
    look_at(interpreter.layout(), state);
    interpreter.instances().name(instance);
    if (states.size() < kMostStates) states.push_back(state);
  };
  interpreter.initial(keep);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::vector<Word> state = states[i];
    interpreter.successors(state, keep);
    program::Position where;
    for (const program::Property& property : program.properties) {
      if (!property.condition || property.header.instances() > kMostInstances) continue;
      if (!interpreter.holds(property, state)) interpreter.why_not(property, state, where);
    }
    std::optional<program::Interpreter::FailedProposition> failed;
    interpreter.letter(state, failed);
    if (symmetries.empty()) continue;
    std::vector<Word> image = state;
    symmetries.canonical(image.data());
    look_at(interpreter.layout(), image);
  }
}

}  // namespace spillway
