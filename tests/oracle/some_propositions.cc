#include "some_propositions.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

using program::Kind;
using program::Type;

bool is_name(const std::string& text) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                              "WXYZ_0123456789") == std::string::npos;
}

class Murphi {
 public:
  Murphi(const program::Program& program, std::mt19937_64& random)
      : program_(program), random_(random) {}

  // Empty: there is nothing to say about this one.
  std::string some() {
    if (program_.variables.empty()) return "";
    const program::Variable& variable = program_.variables[random_() % program_.variables.size()];
    quantifiers_.clear();
    const bool calls = !program_.functions.empty() && random_() % 4 == 0;
    std::string text = calls ? about_call(program_.functions[random_() % program_.functions.size()])
                             : about(*variable.type, variable.name);
    if (text.empty()) return "";
    for (auto one = quantifiers_.rbegin(); one != quantifiers_.rend(); ++one)
      text = fmt::format("{} ({}) end", *one, text);
    return random_() % 4 == 0 ? fmt::format("!({})", text) : text;
  }

 private:
  std::string about(const Type& type, const std::string& place) {
    switch (type.kind) {
      case Kind::scalar: return about_scalar(type, place);
      case Kind::record: {
        const program::Field& field = type.fields[random_() % type.fields.size()];
        return about(*field.type, place + "." + field.name);
      }
      case Kind::array:
        return about(*type.element, fmt::format("{}[{}]", place, index(*type.index)));
      case Kind::bag: return fmt::format("multisetcount(m: {}, true) > 0", place);
    }
    return "";
  }

  std::string index(const Type& type) {
    if (type.names.empty() && random_() % 3 == 0) return std::to_string(value(type));
    const std::string counter = fmt::format("q{}", quantifiers_.size());
    const std::string range =
        is_name(type.name) && type.name != "boolean"
            ? type.name
            : fmt::format("{}..{}", type.domain.lowest(), type.domain.highest());
    quantifiers_.push_back(
        fmt::format("{} {}: {} do", random_() % 2 == 0 ? "forall" : "exists", counter, range));
    return counter;
  }

  std::string about_call(const program::Function& function) {
    std::string arguments;
    for (std::size_t i = 0; i < function.parameters; ++i) {
      const Type* type = function.frame[i].type;
      if (type == nullptr || !type->is_scalar()) return "";
      arguments += (i == 0 ? "" : ", ") + argument(*type);
    }
    if (function.result == nullptr || !function.result->is_scalar()) return "";
    return about_scalar(*function.result, fmt::format("{}({})", function.name, arguments), false);
  }

  std::string argument(const Type& type) {
    if (type.truth) return random_() % 2 == 0 ? "true" : "false";
    if (type.names.empty()) return std::to_string(value(type));
    for (const program::Names& names : type.names)
      if (!names.lines.empty()) return names.names[random_() % names.names.size()];
    return index(type);
  }

  std::string about_scalar(const Type& type, const std::string& place, bool stored = true) {
    if (stored && random_() % 6 == 0) return fmt::format("isundefined({})", place);
    const std::string first =
        stored && random_() % 2 == 0 ? fmt::format("!isundefined({}) & ", place) : "";
    if (type.truth) return first + place;
    if (type.names.empty())
      return first + fmt::format("{} {} {}", place, random_() % 2 == 0 ? "=" : "<=", value(type));
    for (const program::Names& names : type.names)
      if (!names.lines.empty())
        return first + fmt::format("{} = {}", place, names.names[random_() % names.names.size()]);
    return first + fmt::format("exists w: {} do {} = w end", type.name, place);  // a scalarset
  }

  program::Value value(const Type& type) {
    return type.domain.value(1 + random_() % std::min<std::uint64_t>(type.domain.size(), 4));
  }

  const program::Program& program_;
  std::mt19937_64& random_;
  std::vector<std::string> quantifiers_;
};

// Variables of a process are called P.x in the program, and the variable of its states P.
DveProposition about(const program::Variable& variable, const program::Program& program,
                     std::mt19937_64& random) {
  const Type& type = *variable.type;
  if (type.kind == Kind::scalar && !type.names.empty()) {
    const program::Names& names = type.names[0];
    const std::string state = names.names[random() % names.names.size()];
    const std::string text = fmt::format("{}.{}", variable.name, state);
    return is_name(state) ? DveProposition{text, text} : DveProposition{};
  }
  const Type& scalar = type.kind == Kind::array ? *type.element : type;
  if (scalar.kind != Kind::scalar) return {};  // a channel
  std::string rest;
  if (type.kind == Kind::array)
    rest = fmt::format("[{}]", random() % (type.index->domain.size() + (random() % 4 == 0)));
  rest += fmt::format(
      " {} {}", random() % 2 == 0 ? "==" : "<=",
      scalar.domain.value(1 + random() % std::min<std::uint64_t>(scalar.domain.size(), 4)));
  const std::size_t dot = variable.name.find_first_of(".");
  if (dot == std::string::npos) return {variable.name + rest, variable.name + rest};
  const std::string process = variable.name.substr(0, dot), name = variable.name.substr(dot + 1);
  for (const std::string& known : program.processes)
    if (known == process)
      return {fmt::format("{}{}{}{}", process, random() % 2 == 0 ? "." : "->", name, rest),
              fmt::format("{}->{}{}", process, name, rest)};
  return {};
}

}  // namespace

std::vector<std::string> murphi_propositions(const program::Program& program, std::size_t count,
                                             std::mt19937_64& random) {
  Murphi murphi(program, random);
  std::vector<std::string> all;
  for (std::size_t tries = 0; all.size() < count && tries < 4 * count; ++tries)
    if (std::string text = murphi.some(); !text.empty()) all.push_back(std::move(text));
  return all;
}

std::vector<DveProposition> dve_propositions(const program::Program& program, std::size_t count,
                                             std::mt19937_64& random) {
  std::vector<DveProposition> all;
  for (std::size_t tries = 0; all.size() < count && tries < 4 * count; ++tries) {
    const program::Variable& variable = program.variables[random() % program.variables.size()];
    DveProposition one = about(variable, program, random);
    if (one.formula.empty()) continue;
    if (random() % 4 == 0) one = {"not (" + one.formula + ")", "not (" + one.model + ")"};
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace spillway
