// Walks through a model by hand: a person reads what can happen, and says what happens next.
//
// Words come line by line from any stream, so a file of them does the same as a person.  Its end
// ends the walk.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "check/trace/next_steps.h"

namespace spillway {

class StepByHand {
 public:
  using Say = std::function<void(const std::string&)>;
  // REQUIRES: the states of the model stand for themselves, without symmetry reduction.  The model
  // must outlive it.
  StepByHand(const Model& model, Deadlock deadlock, Say say);

  // Until `quit` or the end of the words.  `prompts`: somebody is waiting to be asked.
  void run(std::istream& words, bool prompts);

 private:
  bool obey(const std::string& line);  // false: the walk is over
  void choose(std::size_t number);
  void move(std::size_t to);
  void begin();
  void show_step();
  void show_choices();
  void show_findings() const;
  void show_state() const;
  void show_trace() const;
  bool has_begun() const { return !steps_.empty(); }
  // What can happen where the walk is.
  void look_around();

  const Model& model_;
  const Description& description_;
  const Deadlock deadlock_;
  const Say say_;
  std::vector<Step> steps_;  // also those that were taken back
  std::size_t here_ = 0;
  NextSteps next_steps_;
};

}  // namespace spillway
