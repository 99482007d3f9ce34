// Any bytes as a model in Murphi: they are refused with an Error, or they are a program that can be
// executed.
//
// Built and run by tests/fuzz/run.  The last lines are propositions of formulas, where they begin
// with @.  The first byte of the input chooses the dialect and what undefined values mean.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "execute.h"
#include "language/murphi/murphi.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway;
  constexpr MurphiDialect kDialects[] = {MurphiDialect::automatic, MurphiDialect::cmurphi,
                                         MurphiDialect::rumur};
  MurphiOptions options;
  options.dialect = kDialects[size == 0 ? 0 : data[0] % 3];
  if (size != 0 && data[0] / 3 % 2 == 1) options.undefined = MurphiUndefined::cmurphi;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  options.propositions = cut_propositions(text);
  refuse_or_execute([&] { return read_murphi("fuzz.m", text, options).program; });
  return 0;
}
