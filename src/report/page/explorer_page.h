// The pages of `spillway explore`: one state of a model, how it was reached, and what can happen in
// it.
//
// All texts are those of a model or a result, which may come from anybody: they are escaped.  A
// page works without its script, which adds keys and a filter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/trace/next_steps.h"

namespace spillway {

// A step with the address of its page.
struct LinkedStep {
  std::string address;
  Step step;
};

struct ExplorerState {
  std::vector<LinkedStep> path;  // from an initial state to this one
  NextSteps next_steps;          // in the last state of the path
  std::string address;           // of the last state; that of a successor has ".N" behind it
};

// A trace whose states can be walked from.
struct ExplorerTrace {
  std::string title;    // what it is a trace of
  std::string address;  // of its states: that of step N has ".N" behind it
  std::vector<Step> steps;
};

class ExplorerPages {
 public:
  // The model must outlive it.
  explicit ExplorerPages(const Model& model, Deadlock deadlock)
      : model_(model), description_(model.description()), deadlock_(deadlock) {}

  // Where walks can begin.
  std::string start(const NextSteps& initial, const std::vector<ExplorerTrace>& traces) const;
  std::string state(const ExplorerState& state) const;
  // For an address that leads nowhere.
  std::string nowhere(std::string_view why) const;

  static std::string_view style();   // explore.css
  static std::string_view script();  // explore.js

 private:
  std::string page(const std::string& title, const std::string& body) const;
  std::string path_text(const ExplorerState& state) const;
  std::string choices_text(const NextSteps& next_steps, const Step* before,
                           const std::string& prefix) const;
  std::string variables_text(const ExplorerState& state) const;
  std::string properties_text(const ExplorerState& state) const;
  std::string violated_in(State state) const;

  const Model& model_;
  const Description& description_;
  const Deadlock deadlock_;
};

// Text for HTML, with nothing that ends an element or an attribute, or moves a terminal.
std::string escaped_html(std::string_view text);

}  // namespace spillway
