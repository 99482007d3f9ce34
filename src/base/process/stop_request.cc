#include "base/process/stop_request.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace spillway {
namespace {

std::mutex& words_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<volatile std::uint32_t*>& words() {
  static std::vector<volatile std::uint32_t*> all;
  return all;
}

void tell(volatile std::uint32_t* word) {
  __atomic_store_n(word, stop_request::made() ? 1U : 0U, __ATOMIC_RELAXED);
}

}  // namespace

namespace stop_request {

constinit StopToken token;

void spread() {
  const std::lock_guard lock(words_mutex());
  for (volatile std::uint32_t* word : words()) tell(word);
}

void withdraw() {
  token.withdraw();
  spread();  // what is noted in between stays
}

}  // namespace stop_request

StopWord::StopWord(volatile std::uint32_t* word) : word_(word) {
  if (word_ == nullptr) return;
  const std::lock_guard lock(words_mutex());
  words().push_back(word_);
  tell(word_);
}

StopWord::~StopWord() {
  if (word_ == nullptr) return;
  const std::lock_guard lock(words_mutex());
  std::erase(words(), word_);
}

}  // namespace spillway
