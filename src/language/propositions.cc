#include "language/propositions.h"

namespace spillway {

std::string only_proposition(const PropositionText& proposition) {
  const std::size_t at = proposition.offset();
  std::string text(proposition.shown().substr(0, at + proposition.text.size()));
  for (std::size_t i = 0; i < at; ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  return text;
}

}  // namespace spillway
