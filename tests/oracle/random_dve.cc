#include "random_dve.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace spillway {
namespace {

struct Variable {
  std::string name;
  bool constant = false;
  int size = 0;  // of an array
};

struct Channel {
  std::string name;
  int values = 0;
};

struct Process {
  std::string name;
  std::vector<Variable> variables;
  int states = 1;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string system() {
    const bool synchronous = chance(15);
    std::string text = variables(globals_, "g", in(1, 4));
    text += channels();
    const bool property = chance(25);
    for (int i = in(1, synchronous ? 3 : 4) + (property ? 1 : 0); i > 0; --i) {
      Process& process = processes_.emplace_back();
      process.name = fmt::format("P{}", processes_.size());
      process.states = in(1, 4);
    }
    // A process knows the variables of those that are declared before it.
    for (known_ = 0; known_ < processes_.size(); ++known_)
      text += this->process(processes_[known_], property && known_ + 1 == processes_.size());
    return text + fmt::format("system {}{};\n", synchronous ? "sync" : "async",
                              property ? " property " + processes_.back().name : "");
  }

 private:
  int in(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return in(1, 100) <= percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(in(0, static_cast<int>(all.size()) - 1))];
  }

  std::string type() { return chance(60) ? "byte" : "int"; }

  std::string values(int size) {
    if (chance(50)) return "";
    if (size == 0) return fmt::format(" = {}", in(0, 4));
    std::string text = std::to_string(in(0, 3));
    for (int i = in(0, size - 1); i > 0; --i) text += fmt::format(", {}", in(0, 3));
    return fmt::format(" = {{{}}}", text);
  }

  std::string variables(std::vector<Variable>& out, const std::string& prefix, int count) {
    std::string text;
    for (; count > 0; --count) {
      Variable made{fmt::format("{}{}", prefix, out.size()), chance(15), chance(35) ? in(1, 4) : 0};
      text += fmt::format("  {}{} {}{}{};\n", made.constant ? "const " : "", type(), made.name,
                          made.size != 0 ? fmt::format("[{}]", made.size) : "", values(made.size));
      out.push_back(made);
    }
    return text;
  }

  std::string channels() {
    std::string text;
    for (int i = in(0, 3); i > 0; --i) {
      Channel made{fmt::format("c{}", channels_.size()), in(0, 2)};
      if (chance(30)) {
        text += fmt::format("channel {};\n", made.name);
      } else {
        made.values = in(1, 3);
        std::string types = type();
        for (int v = 1; v < made.values; ++v) types += ", " + type();
        text +=
            fmt::format("channel {{{}}} {}[{}];\n", types, made.name, chance(30) ? 0 : in(1, 3));
      }
      channels_.push_back(made);
    }
    return text;
  }

  // Something with a value: mostly small, so that not everything fails at once.
  std::string designator(bool assigned, int depth) {
    const Process& self = processes_[known_];
    const Process* owner = nullptr;
    const std::vector<Variable>* from = &globals_;
    if (chance(50) && !self.variables.empty()) from = &self.variables;
    if (!assigned && known_ > 0 && chance(10)) {
      owner = &processes_[static_cast<std::size_t>(in(0, static_cast<int>(known_) - 1))];
      from = &owner->variables;
    }
    if (from->empty()) return assigned ? "" : "1";
    const Variable& chosen = one_of(*from);
    if (assigned && chosen.constant) return "";
    std::string text = owner != nullptr ? owner->name + "->" + chosen.name : chosen.name;
    if (chosen.size == 0) return text;
    if (chance(60)) return text + fmt::format("[{}]", in(0, chosen.size - 1));
    if (chance(60)) return text + fmt::format("[({}) % {}]", expression(depth + 1), chosen.size);
    return chance(20) ? text : text + fmt::format("[{}]", expression(depth + 1));
  }

  std::string expression(int depth) {
    if (depth > 3 || chance(30)) {
      if (chance(35)) return std::to_string(chance(90) ? in(0, 4) : in(0, 40000));
      if (chance(15)) return chance(50) ? "true" : "false";
      return designator(false, depth);
    }
    if (chance(10)) {
      const Process& other = one_of(processes_);
      return fmt::format("{}.q{}", other.name, in(0, other.states - 1));
    }
    if (chance(15)) {
      const std::vector<std::string> signs = {"-", "~", "not "};
      return fmt::format("{}({})", one_of(signs), expression(depth + 1));
    }
    const std::vector<std::string> rare = {"*", "/", "<<", ">>", "^", "imply"};
    const std::vector<std::string> usual = {
        "+", "-", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|", "and", "or", "=="};
    const std::string sign = one_of(chance(15) ? rare : usual);
    const char* shape = chance(70) ? "({}) {} ({})" : "{} {} {}";
    return fmt::format(fmt::runtime(shape), expression(depth + 1), sign, expression(depth + 1));
  }

  std::string sync() {
    const Channel& channel = one_of(channels_);
    const bool sends = chance(50);
    std::string text;
    for (int i = 0; i < channel.values; ++i) {
      std::string value = sends ? expression(2) : designator(true, 2);
      if (value.empty()) return "";  // there is nothing to assign
      text += (i > 0 ? ", " : "") + value;
    }
    if (channel.values > 1 || (channel.values == 1 && chance(50)))
      text = fmt::format("{{{}}}", text);
    return fmt::format(" sync {}{}{};", channel.name, sends ? '!' : '?', text);
  }

  std::string effects() {
    std::string text;
    for (int i = in(0, 3); i > 0; --i) {
      const std::string target = designator(true, 2);
      if (target.empty()) continue;
      const std::string value = chance(70) ? fmt::format("({}) % 5", expression(1)) : expression(1);
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", target, value);
    }
    return text.empty() ? "" : fmt::format(" effect {};", text);
  }

  std::string transition(const Process& process, int from, bool property) {
    std::string text = fmt::format("q{} -> q{} {{", from, in(0, process.states - 1));
    if (chance(40)) text += fmt::format(" guard {};", expression(1));
    if (!property && !channels_.empty() && chance(50)) text += sync();
    if (!property) text += effects();
    return text + " }";
  }

  std::string process(Process& process, bool property) {
    std::string text = fmt::format("process {} {{\n", process.name);
    text += variables(process.variables, fmt::format("v{}_", known_), property ? 0 : in(0, 3));
    text += "  state q0";
    for (int i = 1; i < process.states; ++i) text += fmt::format(", q{}", i);
    text += fmt::format(";\n  init q{};\n", in(0, process.states - 1));
    if (chance(20)) text += fmt::format("  commit q{};\n", in(0, process.states - 1));
    if (property) text += fmt::format("  accept q{};\n", in(0, process.states - 1));
    if (chance(30))
      text += fmt::format("  assert q{}: {};\n", in(0, process.states - 1), expression(1));
    const int count = in(1, 8);  // the first ones for all states in turn, so that few are dead ends
    for (int i = 0; i < count; ++i)
      text += (i == 0 ? "  trans\n    " : ",\n    ") +
              transition(process, i % process.states, property);
    return text + ";\n}\n";
  }

  std::mt19937_64 random_;
  std::vector<Variable> globals_;
  std::vector<Channel> channels_;
  std::vector<Process> processes_;
  std::size_t known_ = 0;
};

}  // namespace

std::string random_dve(std::uint64_t seed) { return Writer(seed).system(); }

}  // namespace spillway
