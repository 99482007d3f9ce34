// One attempt at a check, in phases: search and decide, save and count, show what was found, search
// products.
//
// Each phase returns what it has learnt, but for the products, which are added up one by one;
// evidence() puts that together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/check.h"
#include "check/durable/durable_check.h"
#include "check/session/whole_log.h"

namespace spillway {

class Attempt {
 public:
  // Everything outlives it.
  Attempt(const Model& model, const Algorithm& algorithm, const CheckOptions& options,
          const SessionOptions& of_session, Budget& budget, Disk& disk);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // Carries out attempts until one does not have to begin again: damage in the log shows only while
  // it is read, and then the checkpoint before counts.  begin() makes the next attempt, instead of
  // the one before.
  static void carry_out(std::optional<Attempt>& attempt, const std::function<void()>& begin);

  // What was done, and how it has ended.
  Evidence evidence() const;
  // To be called once.
  CheckResult result();

  double seconds() const { return session_.lookout.seconds(); }
  const Session& session() const { return session_; }
  // It is complete, and nothing is wrong.
  bool has_found_nothing() const;

 private:
  // What is known when the search has ended, however it has.
  struct Stock {
    std::optional<Stop> stop;
    std::string not_saved;
    std::vector<Obligation> obligations;
    std::vector<std::string> unchecked;
    std::optional<Coverage> coverage;
    bool decides_acceptance = false;
    std::optional<double> omission_bound;
  };
  // What was found, and its counterexamples.
  struct Shown {
    std::vector<Finding> findings = {};
    std::vector<Trace> traces = {};
    bool confirmed = false;
    bool dropped = false;       // something was found that cannot be shown
    std::string untraced = {};  // why
  };
  // What the searches of all products add.
  struct OfProducts {
    std::vector<RunResult> runs;
    std::vector<std::string> unchecked;  // instead of those of the stock
    std::optional<Stop> stop;
    std::optional<Fault> fault;
    std::string fault_sentence;
    std::vector<Obligation> obligations;
    Shown shown = {.confirmed = true};
    std::string no_room, not_saved;
    double earlier_seconds = 0;
    bool decided = true;
  };

  // What fails is part of the result.  False: it is to be begun again, from an older checkpoint.
  bool carry_out_or_fail();
  void carry_out();
  void refuse_what_cannot_be_done() const;
  void search_and_meet();
  void end_with_others();
  bool has_fallen_back(const Error& error) const;
  void fail(const Error& error);
  void fail(Fault fault, std::string sentence);
  void note(std::optional<Stop> stop);
  void drop_findings();
  void enter(Watch::Stage stage);

  // Phases ----------------------------------------------------------------------------------------

  // Searches, from the newest checkpoint if there is one, and decides what only the entire state
  // space decides.  A limit or a request to stop is a reason to end, not an error.
  void search_and_decide();
  bool may_shorten_rows() const;
  void shorten_rows();
  Checkpoints& checkpoints_of_search();
  void search_states();
  void decide();
  Stock save_and_count();
  std::vector<std::string> left_unchecked() const;
  // A trace for each finding.  A violation of a search that keeps no levels is found again, by one
  // that does.  If there is no time for it, or a limit comes before, the findings are dropped.  By
  // all ranks: none goes on before all have their traces, or know that there will be none.
  Shown show(std::vector<Finding> findings);
  // Searches the products one after the other, if the model itself is done and nothing is wrong
  // with it but a formula.  Each takes an attempt of its own.
  void search_products();

  // In counterexamples.cc
  void make_traces(Shown& shown);
  void search_and_trace_again(Shown& shown);
  void add_trace(Search& of, const Finding& finding, Shown& shown);
  Trace trace_of(Search& of, const Finding& finding);
  bool is_not_loaded() const;
  void give_up_traces(Shown& shown, std::string_view why);

  // In products.cc
  OfProducts without_products() const;
  void search_product(std::size_t run);
  void search_product(std::size_t run, const Model& product);
  CheckOptions options_of_product() const;
  void add_product(std::size_t run, const Model& product, Attempt& attempt);
  void add_shown(std::size_t run, const Model& product, const Evidence& evidence,
                 CheckResult found);
  const Algorithm& for_products() const;

  // Questions -------------------------------------------------------------------------------------

  bool looks_for_cycles() const;
  // REQUIRES of these three: there is a search.
  bool can_decide_cycles() const;
  bool decides_acceptance() const;
  bool can_decide_runs() const;
  // Nothing is left to do that a later process could resume.
  bool is_final() const;
  Disk* own_disk() const { return algorithm_.uses_disk ? &disk_ : nullptr; }
  Statistics counted();
  std::uint64_t initial_states() const;

  const Model& model_;
  const Algorithm& algorithm_;
  const CheckOptions& options_;
  Budget& budget_;
  Disk& disk_;
  const DurableCheck durable_;
  Session session_;
  Crew crew_;
  std::optional<WholeLog> whole_log_;  // if the search stores short rows
  std::unique_ptr<Search> search_;
  Ending ending_;
  Goals goals_;
  std::optional<Statistics> statistics_;
  Stock stock_;
  Shown shown_;
  OfProducts products_;
};

// The end of memory or disk is a limit like others, and once a search has begun the command line is
// not what is wrong.
std::optional<Stop> limit_behind(const Error& error, const Session& session);

}  // namespace spillway
