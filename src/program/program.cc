#include "program/program.h"

namespace spillway::program {

std::uint64_t Header::instances() const {
  std::uint64_t product = 1;
  for (const Parameter& parameter : parameters) product *= parameter.values.size();
  return product;
}

std::vector<Value> Header::arguments(std::uint64_t instance) const {
  std::vector<Value> values(parameters.size());
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const std::vector<Value>& all = parameters[i].values;
    values[i] = all[static_cast<std::size_t>(instance % all.size())];
    instance /= all.size();
  }
  return values;
}

std::uint32_t reported_number(const Program& program, std::size_t property) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < property; ++i) number += program.properties[i].kind == PropertyKind::assumption ? 0 : 1;
  return number;
}

}  // namespace spillway::program
