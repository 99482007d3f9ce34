// The steps of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "model/model.h"

namespace spillway {

struct Step {
  RuleIndex rule;         // that produced the state; for the first step, the start rule
  std::vector<Word> row;  // the state
};

// Steps whose states are packed: a counterexample may have a million of them.
// REQUIRES: all rows have as many words as the first.
class PackedSteps {
 public:
  PackedSteps() = default;
  // Without rules and states.
  PackedSteps(std::size_t count, std::size_t words)
      : words_(words), rows_(count * words), rules_(count, kNoRule) {}
  PackedSteps(const std::vector<Step>& steps) {
    for (const Step& step : steps) push_back(step);
  }
  PackedSteps(std::initializer_list<Step> steps) : PackedSteps(std::vector<Step>(steps)) {}

  std::size_t size() const { return rules_.size(); }
  bool empty() const { return rules_.empty(); }
  // A view, until there are more or fewer steps.
  State row(std::size_t i) const { return {rows_.data() + i * words_, words_}; }
  RuleIndex rule(std::size_t i) const { return rules_[i]; }
  Step operator[](std::size_t i) const { return {rule(i), {row(i).begin(), row(i).end()}}; }
  Step back() const { return (*this)[size() - 1]; }
  std::vector<Step> all() const { return {begin(), end()}; }

  void reserve(std::size_t count) {
    rows_.reserve(count * words_);
    rules_.reserve(count);
  }
  void push_back(const Step& step) {
    words_ = step.row.size();
    rows_.insert(rows_.end(), step.row.begin(), step.row.end());
    rules_.push_back(step.rule);
  }
  void set_row(std::size_t i, State row) {
    std::copy(row.begin(), row.end(), rows_.begin() + static_cast<std::ptrdiff_t>(i * words_));
  }
  void set_rule(std::size_t i, RuleIndex rule) { rules_[i] = rule; }
  void clear() { *this = {}; }

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Step;
    using reference = Step;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    Iterator() = default;
    Iterator(const PackedSteps* of, std::size_t at) : of_(of), at_(at) {}
    Step operator*() const { return (*of_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {of_, at_++}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const PackedSteps* of_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  std::size_t words_ = 0;
  std::vector<Word> rows_;
  std::vector<RuleIndex> rules_;
};

}  // namespace spillway
