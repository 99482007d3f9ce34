#include "program/c/c_header.h"

#include <fmt/format.h>

namespace spillway::program {
namespace {

bool is_sequence(const std::vector<Value>& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] != values[i - 1] + 1) return false;
  return true;
}

}  // namespace

std::string parameter_loop(const Parameter& parameter, std::size_t number) {
  const std::vector<Value>& values = parameter.values;
  if (is_sequence(values))
    return fmt::format("for (V l{0} = {1}; l{0} <= {2}; ++l{0}) {{\n", parameter.slot,
                       c_number(values.front()), c_number(values.back()));
  std::string table;
  for (const Value value : values) table += c_number(value) + ",";
  return fmt::format(
      "static const V p{0}[] = {{{1}}};\nfor (uint32_t n{0} = 0; n{0} < {2}; ++n{0}) {{\nconst V "
      "l{3} = "
      "p{0}[n{0}];\n",
      number, table, values.size(), parameter.slot);
}
std::string parameter_number(const Parameter& parameter, std::size_t number) {
  return is_sequence(parameter.values) ? fmt::format("(uint32_t)(l{} - {})", parameter.slot,
                                                     c_number(parameter.values.front()))
                                       : fmt::format("n{}", number);
}

std::vector<bool> looking_loops(const Header& header, std::uint64_t steps, const Work& work) {
  std::vector<bool> looks(header.parameters.size());
  for (std::size_t p = header.parameters.size(); p-- > 0;) {
    const std::uint64_t turns = header.parameters[p].values.size();
    looks[p] = work.looks(turns, steps);
    steps = looks[p] ? 1 : steps * turns;
  }
  return looks;
}

std::string formal_parameters(const Header& header) {
  std::string text;
  for (const Parameter& parameter : header.parameters)
    text += fmt::format(", const V l{}", parameter.slot);
  return text;
}

std::string actual_parameters(const Header& header) {
  std::string text;
  for (const Parameter& parameter : header.parameters) text += fmt::format(", l{}", parameter.slot);
  return text;
}

std::string unused_parameters(const Header& header) {
  std::string text;
  for (const Parameter& parameter : header.parameters)
    text += fmt::format("  (void)l{};\n", parameter.slot);
  return text;
}

std::string other_slots(const CFunction& c, const Header& header) {
  const std::string all = c.slot_declarations();
  std::vector<bool> parameter(header.frame.size());
  for (const Parameter& p : header.parameters) parameter[p.slot] = true;
  std::string out;
  std::size_t slot = 0;
  for (std::size_t from = 0; from < all.size(); ++slot) {
    const std::size_t end = all.find('\n', from) + 1;
    if (!parameter[slot]) out += all.substr(from, end - from);
    from = end;
  }
  return out;
}

}  // namespace spillway::program
