#include "language/murphi/scopes.h"

namespace spillway::murphi {

Symbol* Scopes::find(std::string_view name) const {
  for (auto map = maps_.rbegin(); map != maps_.rend(); ++map)
    if (const auto found = map->symbols.find(name); found != map->symbols.end())
      return found->second;
  return nullptr;
}

Symbol* Scopes::find_here(std::string_view name) const {
  const auto found = maps_.back().symbols.find(name);
  return found == maps_.back().symbols.end() ? nullptr : found->second;
}

Symbol& Scopes::add(Symbol symbol) {
  symbol.global = maps_.size() == 1;
  Symbol& added = (symbol.global ? globals_ : maps_.back().owned).emplace_back(std::move(symbol));
  maps_.back().symbols[added.name] = &added;
  return added;
}

std::vector<std::string_view> Scopes::names() const {
  std::vector<std::string_view> result;
  for (const Map& map : maps_)
    for (const auto& [name, symbol] : map.symbols) result.push_back(name);
  return result;
}

}  // namespace spillway::murphi
