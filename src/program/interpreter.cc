#include "program/interpreter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/process/stop_request.h"

namespace spillway::program {
namespace {

std::string parameters_text(const Header& header, const std::vector<Value>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Slot& slot = header.frame[header.parameters[i].slot];
    text +=
        fmt::format(", {}:{}", slot.name,
                    slot.type != nullptr ? slot.type->text(values[i]) : std::to_string(values[i]));
  }
  return text;
}

}  // namespace

Instances::Instances(const Program& program) : program_(program) {
  std::uint64_t sum = 0;
  const auto count = [&](const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      first_.push_back(static_cast<InstanceIndex>(sum));
      sum += rule.header.instances();
      if (sum >= kNoInstance)
        throw Error(Fault::model, fmt::format("the rules have {} instances; the limit is {}", sum,
                                              kNoInstance - 1));
    }
  };
  count(program.starts);
  count(program.rules);
  first_.push_back(static_cast<InstanceIndex>(sum));
}

Instances::Instance Instances::at(InstanceIndex index) const {
  // The last rule that begins at or before `index`.  A rule without instances begins where the next
  // one does.
  const auto place = std::upper_bound(first_.begin(), first_.end(), index) - 1;
  const auto number = static_cast<std::size_t>(place - first_.begin());
  const bool start = number < program_.starts.size();
  return {start ? &program_.starts[number] : &program_.rules[number - program_.starts.size()],
          index - *place, start};
}

std::string Instances::name(InstanceIndex index) const {
  const Instance instance = at(index);
  const Header& header = instance.rule->header;
  return header.name + parameters_text(header, header.arguments(instance.number));
}

Interpreter::Interpreter(const Program& program)
    : program_(program),
      layout_(program),
      instances_(program),
      bags_(packed_bags(program)),
      execution_(program),
      loaded_(layout_.cells().size(), kUndefined),
      row_(layout_.words()) {
  if (!program.failure_state) return;
  load(std::vector<Word>(layout_.words()));
  execute(*program.failure_state, 0, kNoInstance,
          [&](const Word* row, InstanceIndex) { failure_row_.assign(row, row + layout_.words()); });
}

void Interpreter::load(State state) { layout_.unpack(state, loaded_.data()); }

bool Interpreter::holds_now(const Property& property, std::uint64_t instance) {
  execution_.enter(property.header, property.header.arguments(instance));
  return execution_.holds(*property.condition);
}

std::optional<std::uint32_t> Interpreter::excluding_assumption() {
  auto counter = static_cast<std::uint32_t>(2 * (program_.starts.size() + program_.rules.size()));
  for (const Property& property : program_.properties) {
    if (property.kind != PropertyKind::assumption) continue;
    // Instances have no order: if one of them cannot be evaluated, it does not matter that another
    // is false.
    bool all = true;
    for (std::uint64_t i = 0; i < property.header.instances(); ++i) {
      stop_request::obey();
      all = holds_now(property, i) && all;
    }
    if (!all) return counter;
    ++counter;
  }
  return std::nullopt;
}

void Interpreter::count_cut(std::size_t rule, std::uint32_t assumption) {
  left_out_ = true;
  if (room_.counters == nullptr) return;
  ++room_.counters[program_.starts.size() + program_.rules.size() + rule];
  ++room_.counters[assumption];
}

std::optional<std::uint32_t> Interpreter::execute(const Rule& rule, std::uint64_t number,
                                                  InstanceIndex index, const Sink& sink) {
  std::copy(loaded_.begin(), loaded_.end(), execution_.state());
  execution_.enter(rule.header, rule.header.arguments(number));
  if (rule.guard && !execution_.holds(*rule.guard)) return std::nullopt;
  execution_.run(rule.body);
  // Conditions are evaluated on bags as they will be stored, with their elements in order.
  layout_.pack(execution_.state(), row_.data());
  sort_bags(bags_, row_.data());
  layout_.unpack(row_, execution_.state());
  const std::optional<std::uint32_t> excluding = excluding_assumption();
  if (!excluding) sink(row_.data(), index);
  return excluding;
}

std::optional<Failure> Interpreter::execute_all(const std::vector<Rule>& rules, std::size_t first,
                                                InstanceIndex index, const Sink& sink) {
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const Sink counted = [&](const Word* row, InstanceIndex instance) {
      count_successor(first + rule);
      sink(row, instance);
    };
    for (std::uint64_t i = 0; i < rules[rule].header.instances(); ++i, ++index) {
      stop_request::obey();
      try {
        if (const auto excluding = execute(rules[rule], i, index, counted))
          count_cut(first + rule, *excluding);
      } catch (const Discarded& discarded) {
        count_cut(first + rule, discarded.counter);
      } catch (const Failed& failed) {
        if (failure_row_.empty() || &rules == &program_.starts) return Failure{index, failed};
        counted(failure_row_.data(), index);
      }
    }
  }
  return std::nullopt;
}

std::optional<Failure> Interpreter::initial(const Sink& sink) {
  load(std::vector<Word>(layout_.words()));
  return execute_all(program_.starts, 0, 0, sink);
}

std::optional<Failure> Interpreter::successors(State state, const Sink& sink) {
  load(state);
  return execute_all(program_.rules, program_.starts.size(), instances_.first_of_rule(0), sink);
}

std::optional<Failure> Interpreter::gravest_failure(const State* state) {
  load(state != nullptr ? *state : State(std::vector<Word>(layout_.words())));
  const std::vector<Rule>& rules = state != nullptr ? program_.rules : program_.starts;
  InstanceIndex index = state != nullptr ? instances_.first_of_rule(0) : 0;
  const ObservedRoom room = std::exchange(room_, {});
  observe_in({});
  execution_.want_all_failures(true);
  std::optional<Failure> gravest;
  for (auto rule = rules.begin(); rule != rules.end() && !gravest; ++rule) {
    for (std::uint64_t i = 0; i < rule->header.instances(); ++i, ++index) {
      try {
        execute(*rule, i, index, [](const Word*, InstanceIndex) {});
      } catch (const Discarded&) {
      } catch (const Failed& failed) {
        if (!gravest || graver(failed, gravest->failed)) gravest = Failure{index, failed};
      }
    }
  }
  execution_.want_all_failures(false);
  observe_in(room);
  return gravest;
}

bool Interpreter::accepting(State state) {
  return program_.accepting && holds(*program_.accepting, state);
}

Letter Interpreter::letter(State state, std::optional<FailedProposition>& failed) {
  load(state);
  std::copy(loaded_.begin(), loaded_.end(), execution_.state());
  Letter letter = 0;
  for (std::size_t i = 0; i < program_.propositions.size(); ++i) {
    stop_request::obey();
    try {
      if (holds_now(program_.propositions[i], 0)) letter |= Letter{1} << i;
    } catch (const Failed& why) {
      if (!failed) failed = FailedProposition{i, why};
    }
  }
  return letter;
}

bool Interpreter::holds(const Property& property, State state) {
  load(state);
  std::copy(loaded_.begin(), loaded_.end(), execution_.state());
  const bool some =
      property.kind == PropertyKind::cover || property.kind == PropertyKind::reachable;
  for (std::uint64_t i = 0; i < property.header.instances(); ++i) {
    stop_request::obey();
    bool held = false;
    try {
      held = holds_now(property, i);
    } catch (const Failed&) {
      held = false;
    }
    if (held == some) return some;
  }
  return !some;
}

// The smallest part of a condition that explains why the whole is false.
std::string Interpreter::blame(const Expr& condition, Position& where) {
  const auto at = [&](const Expr& part) {
    where = part.position;
    return fmt::format("the condition at line {}, column {} is false", part.position.line,
                       part.position.column);
  };
  switch (condition.op) {
    case Op::logical_and:
      return blame(*condition.operands[execution_.holds(*condition.operands[0]) ? 1 : 0], where);
    case Op::implies: return blame(*condition.operands[1], where);
    case Op::for_all: {
      const Slot& slot = execution_.frame()[condition.slot];
      for (const Value value : execution_.values(condition.range)) {
        execution_.bind(condition.slot, value);
        if (execution_.holds(*condition.operands[0])) continue;
        const std::string shown =
            slot.type != nullptr ? slot.type->text(value) : std::to_string(value);
        return fmt::format("{}:{}, {}", slot.name, shown, blame(*condition.operands[0], where));
      }
      return at(condition);
    }
    default: return at(condition);
  }
}

std::string Interpreter::why_not(const Property& property, State state, Position& where) {
  load(state);
  std::copy(loaded_.begin(), loaded_.end(), execution_.state());
  for (std::uint64_t i = 0; i < property.header.instances(); ++i) {
    stop_request::obey();
    std::string parameters = parameters_text(property.header, property.header.arguments(i));
    if (!parameters.empty()) parameters = parameters.substr(2) + ", ";
    try {
      if (!holds_now(property, i)) return parameters + blame(*property.condition, where);
    } catch (const Failed& failed) {
      where = failed.position;
      return parameters +
             fmt::format("it cannot be evaluated: line {}: {}", failed.position.line, failed.what);
    }
  }
  return "";
}

}  // namespace spillway::program
