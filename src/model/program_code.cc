#include "model/program_code.h"

#include <fmt/format.h>

#include "base/error.h"

namespace spillway {
namespace {

constexpr std::string_view kInterpreted =
    "The model is interpreted, which is 20 to 40 times slower; --interpret turns this message off";
constexpr std::string_view kQuick =
    "The model is executed as tcc compiles it, which is about half as fast";

// What was said by a compiler ends with a line of its own.
std::string with_remedy(const std::string& failure, std::string_view remedy) {
  return fmt::format("{}{}{}", failure, failure.find('\n') == std::string::npos ? ". " : "\n",
                     remedy);
}

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

ProgramCode::ProgramCode(Executed executed, Compiling compiling)
    : executed_(executed), compiling_(std::move(compiling)) {}

ProgramCode::~ProgramCode() = default;

void ProgramCode::warn(const std::string& sentence) const {
  if (compiling_.warn) compiling_.warn(sentence);
}

void ProgramCode::prepare(const std::string& text) {
  text_bytes_ = text.size();
  try {
    get_code(text);
  } catch (const Stopped&) {  // the search ends before it executes anything
    compilation_.reset();
    use(nullptr, 0);
  }
}

void ProgramCode::get_code(const std::string& text) {
  switch (executed_) {
    case Executed::interpreted: return use(nullptr, 0);
    case Executed::optimized: return prepare_optimized(text);
    case Executed::automatic: return prepare_both(text);
    case Executed::quick:
      prepare_quick(text);
      if (!quick_) throw Error(Fault::system, "tcc was not found, or it cannot compile the model");
      return use(quick_.get(), 0);
    case Executed::in_turn:
      prepare_optimized(text);
      prepare_quick(text);
      return use(nullptr, 0);
  }
}

void ProgramCode::prepare_optimized(const std::string& text) {
  std::optional<NativeObject> object = compile_c(text, compiling_);
  if (object)
    optimized_ = std::make_unique<Loaded>(std::move(*object));
  else
    warn(with_remedy("this model is too large for the C compiler", kInterpreted));
  use(optimized_.get(), 0);
}

void ProgramCode::prepare_quick(const std::string& text) {
  std::optional<NativeObject> object = compile_quickly(text, compiling_);
  if (!object) return;
  try {
    quick_ = std::make_unique<Loaded>(std::move(*object));
  } catch (const Error& error) {
    if (compiling_.tell)
      compiling_.tell(fmt::format("what tcc makes is not used: {}", error.what()));
  }
}

void ProgramCode::prepare_both(const std::string& text) {
  compilation_ = std::make_unique<Compilation>(text, compiling_, Compilation::Start::soon);
  const bool ended = compilation_->wait(0);
  if (ended && compilation_->failure().empty() && hand_over(0)) return;
  prepare_quick(text);
  use(quick_.get(), 0);
  if (!compilation_) return;
  if (quick_) compilation_->give_up_if_too_much();
  if (!ended) return;
  if (quick_)
    later_ = with_remedy(compilation_->failure(), kQuick);
  else
    warn(with_remedy(compilation_->failure(), kInterpreted));
  compilation_.reset();
}

// The compilation has ended.  True if there is optimized code now.
bool ProgramCode::hand_over(std::uint64_t level) {
  const std::unique_ptr<Compilation> ended = std::move(compilation_);
  try {
    std::optional<NativeObject> object = ended->take();
    if (object) optimized_ = std::make_unique<Loaded>(std::move(*object));
  } catch (const Error& error) {
    warn(fmt::format("the optimized code cannot be used: {}", error.what()));
    return false;
  }
  if (optimized_) {
    use(optimized_.get(), level);
    return true;
  }
  const std::string why =
      ended->failure().empty() ? "this model is too large for the C compiler" : ended->failure();
  warn(with_remedy(why, quick_ ? kQuick : kInterpreted));
  return false;
}

void ProgramCode::use(const Loaded* code, std::uint64_t level) {
  current_.store(code != nullptr ? &code->model : nullptr, std::memory_order_release);
  const std::string_view by = code == nullptr        ? "interpreter"
                              : code == quick_.get() ? "tcc"
                                                     : "optimized";
  const std::lock_guard lock(mutex_);
  if (!executions_.empty() && executions_.back().first_level == level) executions_.pop_back();
  if (executions_.empty() || executions_.back().by != by) executions_.push_back({by, level});
}

// A search that is resumed does not begin with level 0.
void ProgramCode::begin_at(std::uint64_t level) {
  if (begun_) return;
  begun_ = true;
  const std::lock_guard lock(mutex_);
  if (executions_.empty()) executions_.push_back({"interpreter", level});
  executions_.front().first_level = level;
}

void ProgramCode::before_level(std::uint64_t level, std::uint64_t states) {
  begin_at(level);
  if (executed_ == Executed::in_turn) {
    const Loaded* const ways[] = {nullptr, quick_.get(), optimized_.get()};
    return use(ways[level % std::size(ways)], level);
  }
  if (!later_.empty() && seconds_between(begin_, Clock::now()) > 1) {
    warn(later_);
    later_.clear();
  }
  if (!compilation_ || !compilation_->wait(patience(states))) return;
  if (hand_over(level) && compiling_.tell)
    compiling_.tell(fmt::format("level {}: continuing with optimized code", level));
}

// How long to wait for optimized code before a level of so many states.  A level that is begun is
// completed with the code it was begun with, so a long one is worth waiting for: as long as that
// costs less than it can gain.  What takes a moment only does not wait.
double ProgramCode::patience(std::uint64_t states) {
  struct Guess {
    double seconds_per_state, least_seconds, share;
  };
  constexpr Guess kOfQuick{5e-6, 2, 0.25};
  constexpr Guess kOfInterpreter{2e-4, 0.05, 1};
  constexpr std::uint64_t kEnoughStates = 100;  // to know how long one takes
  const Guess& guess = current() != nullptr ? kOfQuick : kOfInterpreter;
  const Clock::time_point now = Clock::now();
  if (level_states_ >= kEnoughStates)
    seconds_per_state_ = seconds_between(level_begin_, now) / static_cast<double>(level_states_);
  level_begin_ = now;
  level_states_ = states;
  const double expected =
      static_cast<double>(states) * seconds_per_state_.value_or(guess.seconds_per_state);
  return expected < guess.least_seconds ? 0 : expected * guess.share;
}

std::vector<ExecutedLevels> ProgramCode::executions() const {
  const std::lock_guard lock(mutex_);
  return executions_;
}

// The object is read, copied to where it is loaded from, and loaded.
std::uint64_t ProgramCode::bytes_to_come() const {
  constexpr std::uint64_t kAtLeast = std::uint64_t{512} << 10;
  return compilation_ ? kAtLeast + 4 * text_bytes_ : 0;
}

}  // namespace spillway
