// Any bytes as an automaton in the Hanoi Omega-Automata format: they are refused with an Error, or
// an automaton that is the same after it is written and read again.
//
// Built and run by tests/fuzz/run.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "ltl/automaton/degeneralize.h"
#include "ltl/exchange/hoa.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const ltl::Automaton automaton = ltl::read_hoa("fuzz", text);
    if (automaton.states() > 1000) return 0;
    const ltl::Automaton again = ltl::read_hoa("again", ltl::hoa(automaton, "fuzz"));
    SPILLWAY_CHECK(again.transitions == automaton.transitions);
    SPILLWAY_CHECK(again.sets == automaton.sets && again.initial == automaton.initial);
    if (automaton.states() < 20) ltl::degeneralized(automaton);
  } catch (const Error& error) {
    SPILLWAY_CHECK(error.fault() != Fault::internal);
  }
  return 0;
}
