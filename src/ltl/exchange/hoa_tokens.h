// The words and signs of an automaton in the Hanoi Omega-Automata format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ltl/reading/lexer.h"

namespace spillway::ltl {

enum class HoaKind : std::uint8_t {
  end,     // of the text
  header,  // `States:`, without the colon
  word,
  number,
  string,  // without quotes and escapes
  alias,   // `@name`
  marker,  // --BODY--, --END--, --ABORT--
  sign,
};

struct HoaToken {
  HoaKind kind = HoaKind::end;
  std::string text;
  std::uint32_t number = 0;
  std::uint32_t from = 0, to = 0;  // bytes of the text
  bool is(HoaKind what, std::string_view spelling) const {
    return kind == what && text == spelling;
  }
  bool is_sign(std::string_view spelling) const { return is(HoaKind::sign, spelling); }
};

// All of them, and one of the kind `end`.  Throws BadFormula.
std::vector<HoaToken> hoa_tokens(std::string_view text);

}  // namespace spillway::ltl
