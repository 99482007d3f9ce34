// The meaning of names.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/murphi/syntax.h"
#include "program/program.h"

namespace spillway::murphi {

enum class Means {
  constant,  // value
  type,
  variable,   // of the state: index
  function,   // index
  counter,    // a slot that holds a constant: index
  local,      // a slot that holds a value or a reference: index
  place,      // an alias of `place`, which is copied where the alias is used
  value,      // an alias of `expression`, likewise
  bag_index,  // the number of an element of a multiset: a slot that holds a constant
  wrong,      // its declaration has an error
};

struct Symbol {
  Means means = Means::constant;
  std::string name;
  Position position;
  const program::Type* type = nullptr;
  Value value = 0;
  std::uint32_t index = 0;
  program::Place place;
  program::ExprPtr expression;
  std::uint64_t weight = 1;  // nodes of a copy of either
  bool read_only = false;    // the place must not be changed
  bool parameter = false;    // a parameter by reference
  Symbol* root = nullptr;    // the variable that an alias leads to
  bool global = false;
  bool read = false, written = false;  // or used at all
};

class Scopes {
 public:
  Scopes() { push(); }

  void push() { maps_.emplace_back(); }
  void pop() { maps_.pop_back(); }
  std::size_t depth() const { return maps_.size(); }

  Symbol* find(std::string_view name) const;
  // Searches the innermost scope only.
  Symbol* find_here(std::string_view name) const;
  // REQUIRES: the innermost scope has no such name yet.
  Symbol& add(Symbol symbol);

  // All visible names, for suggestions.
  std::vector<std::string_view> names() const;
  // The symbols of the outermost scope, in the order of declaration.
  const std::deque<Symbol>& globals() const { return globals_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Map {
    std::unordered_map<std::string, Symbol*, Hash, std::equal_to<>> symbols;
    std::deque<Symbol> owned;
  };

  std::deque<Map> maps_;
  std::deque<Symbol> globals_;
};

}  // namespace spillway::murphi
