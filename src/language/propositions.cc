#include "language/propositions.h"

namespace spillway {

std::string only_proposition(const PropositionText& proposition) {
  std::string text(proposition.shown().substr(0, proposition.offset()));
  for (char& c : text)
    if (c != '\n' && c != '\r') c = ' ';
  return text + proposition.text;
}

}  // namespace spillway
