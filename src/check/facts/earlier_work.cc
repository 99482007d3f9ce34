#include "check/facts/earlier_work.h"

namespace spillway {

std::uint64_t EarlierWork::states() const {
  std::uint64_t all = 0;
  for (const Level& level : levels) all += level.states;
  return all;
}

}  // namespace spillway
