// What a Crew does on a machine that does not give it its threads (containers limit their number).
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "base/process/crew.h"
#include "sanitized.h"

namespace spillway {
namespace {

// In a process of its own: leaves too little address space for the stacks of 256 threads.
[[noreturn]] void ask_for_too_many_threads() {
  alarm(600);  // SIGALRM ends a process that hangs
  const rlimit limit{rlim_t{512} << 20, rlim_t{512} << 20};
  setrlimit(RLIMIT_AS, &limit);
  try {
    const Crew crew(256);
  } catch (const Error& error) {
    std::_Exit(error.fault() == Fault::system ? 0 : 2);
  }
  std::_Exit(1);  // there was room for all of them: the test shows nothing
}

TEST(CrewDeathTest, ThreadsThatTheSystemRefusesAreAnErrorNotAHang) {
  if (kSanitized)
    GTEST_SKIP() << "not here: sanitizers need more address space than the limit of this test";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(ask_for_too_many_threads(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace spillway
