// In which order compiled code executes what C leaves open.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "language/murphi/murphi.h"
#include "program/c/generate_c.h"

namespace spillway {
namespace {

// Compilers evaluate the operands of a sum from left to right, most of the time.
TEST(COrder, ACallInAnIndexIsNoOperandBesideAnother) {
  const std::string c = program::generate_c(
      read_murphi("some.m",
                  "type B: 0..1; var x: B; b: array [B] of array [B] of B;\n"
                  "function one(): B; begin assert x = 0 \"one\"; return x; end;\n"
                  "function two(): B; begin assert x = 0 \"two\"; return x; end;\n"
                  "startstate x := 0; end; rule b[one()][two()] := x; end;\n",
                  {})
          .program);
  const std::regex in_order(R"(B (x\d+) = .*f0\(x, [^;]*;.*; \1 \+ .*f1\(x, )");
  EXPECT_TRUE(std::regex_search(c, in_order)) << c.substr(c.rfind("f0(x,") - 300, 900);
}

}  // namespace
}  // namespace spillway
