#include "program/c/c_shapes.h"

#include <gtest/gtest.h>

namespace spillway::program {
namespace {

TEST(CShapes, RulesThatDifferInNumbersShareTheirText) {
  CShapes shapes;
  shapes.add("void @(X *x) { f(INT64_C(1), INT64_C(7)); }\n");
  shapes.add("void @(X *x) { g(INT64_C(1)); }\n");
  shapes.add("void @(X *x) { f(INT64_C(2), INT64_C(7)); }\n");
  EXPECT_EQ(shapes.text(),
            "void r0(X *x) { f(x->c[0], INT64_C(7)); }\n"
            "static const V c0[] = {INT64_C(1),};\n"
            "static const V c2[] = {INT64_C(2),};\n"
            "void r1(X *x) { g(INT64_C(1)); }\n");
  EXPECT_EQ(shapes.function(0), "r0");
  EXPECT_EQ(shapes.function(1), "r1");
  EXPECT_EQ(shapes.function(2), "r0");
  EXPECT_EQ(shapes.preparation(0), "x->c = c0; ");
  EXPECT_EQ(shapes.preparation(1), "");
  EXPECT_EQ(shapes.preparation(2), "x->c = c2; ");
}

TEST(CShapes, EqualRulesNeedNoNumbers) {
  CShapes shapes;
  shapes.add("@(INT64_C(1))");
  shapes.add("@(INT64_C(1))");
  EXPECT_EQ(shapes.text(), "r0(INT64_C(1))");
  EXPECT_EQ(shapes.preparation(1), "");
}

TEST(CShapes, SomeStayAlone) {
  CShapes shapes;
  shapes.add_alone("@(INT64_C(1))");
  shapes.add("@(INT64_C(2))");
  shapes.add_alone("@(INT64_C(3))");
  EXPECT_EQ(shapes.text(), "r0(INT64_C(1))r1(INT64_C(2))r2(INT64_C(3))");
  EXPECT_EQ(shapes.function(2), "r2");
}

}  // namespace
}  // namespace spillway::program
