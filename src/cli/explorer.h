// Finds the states that addresses of `spillway explore` name.
//
// An address says how a state is reached, so it stays valid as long as the model stays the same:
// "i2.1.3" is the second initial state, then the first and the third of the steps that are
// possible; "t1.4.2" is step 4 of the first trace, then the second possible step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/page/explorer_page.h"
#include "report/trace/saved_trace.h"
#include "serve/site.h"

namespace spillway {

class Explorer {
 public:
  // REQUIRES: the states of the model stand for themselves, without symmetry reduction.  The model
  // must outlive it.
  Explorer(const Model& model, Deadlock deadlock);

  // Adds a trace, unless the model has no such steps: then it returns false.
  bool add_trace(const SavedTrace& trace);
  void add_trace(std::string title, std::vector<Step> steps);

  // The routes of its site.  REQUIRES: it outlives the site, and no trace is added any more.
  std::vector<HttpRoute> routes() const;

  // What an address leads to; std::nullopt and a reason if that is nothing.  Throws Stopped.
  std::optional<ExplorerState> state_at(const std::string& address, std::string& why) const;

 private:
  HttpAnswer answer(const std::string& address) const;
  // The steps that the beginning of an address stands for, and how many numbers it takes.
  bool begin(char kind, const std::vector<std::size_t>& numbers, std::size_t& taken,
             ExplorerState& state, std::string& why) const;

  const Model& model_;
  const Deadlock deadlock_;
  const ExplorerPages pages_;
  const NextSteps initial_;
  std::vector<ExplorerTrace> traces_;
};

}  // namespace spillway
