// What becomes of a test that needs something which is not here: skipped on the machine of a
// person, a failure in CI.  There, everything that tests need is to be installed and allowed; a
// test that is skipped every time would look as if it passed.  tests/skips.py is the same for
// scripts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace spillway {
namespace {

// How the reason begins if nothing could be installed: the processor lacks something, or the build
// is one with sanitizers.
constexpr std::string_view kByDesign = "not here: ";

class SkipsFailInCi : public testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Skipped()) return;
    std::string why;
    for (int i = 0; i < test.result()->total_part_count(); ++i)
      why += test.result()->GetTestPartResult(i).message();
    if (why.find(kByDesign) == std::string::npos)
      ADD_FAILURE() << "in CI nothing may be missing: " << why;
  }
};

const bool installed = [] {
  const char* const ci = std::getenv("CI");
  if (ci != nullptr && std::string_view(ci) == "true")
    testing::UnitTest::GetInstance()->listeners().Append(new SkipsFailInCi);
  return true;
}();

}  // namespace
}  // namespace spillway
