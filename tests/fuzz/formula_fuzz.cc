// Any bytes as a formula: they are refused with an Error, or printed so that they are read as the
// same formula.  Small ones are simplified and translated.
//
// Built and run by tests/fuzz/run.  The first byte says whether the rest is a file of formulas.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "ltl/automaton/translate.h"
#include "ltl/formula/simplify.h"
#include "ltl/reading/parse.h"

namespace {

using namespace spillway;

void examine(const ltl::ParsedFormula& parsed) {
  const std::vector<std::string> names = parsed.names();
  const std::string text = ltl::text(parsed.formula, names);
  // An atom with quotes and braces of its own cannot always be written.
  if (text.find_first_of("\"{") == std::string::npos) {
    const ltl::ParsedFormula again = ltl::parse("again", text, {});
    SPILLWAY_CHECK(ltl::text(again.formula, again.names()) == text);
  }
  if (text.size() > 60) return;
  ltl::simplified(parsed.formula);
  ltl::translate(parsed.formula, names);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if (data[0] % 2 == 0) {
      examine(ltl::parse("fuzz", text, {"X", "done"}));
    } else {
      for (const ltl::NamedFormula& formula :
           ltl::read_formulas("fuzz", text, ltl::Lines::formulas))
        ltl::parse("fuzz", text, formula, {});
    }
  } catch (const Error& error) {
    SPILLWAY_CHECK(error.fault() != Fault::internal);
  }
  return 0;
}
