// One check from the command line, new or resumed: opens the model, divides memory and disks,
// chooses the run directory, searches, and reports.
//
// Order of the steps: everything that can refuse the options comes before the run directory, so
// that nothing is left behind by a command that was wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/durable/journal.h"
#include "cli/options/options.h"
#include "cli/session/check_events.h"
#include "cli/session/check_report.h"
#include "cli/session/check_watch.h"
#include "cli/session/dashboard.h"
#include "directory/chosen_run_directory.h"
#include "io/data/system_disk.h"

namespace spillway {

class CheckSession {
 public:
  // `resumed` is the run directory to resume; nullptr for a new check.  All of them must outlive
  // the session, and so must the other ranks, if there are any.  Throws Error(usage) if the
  // settings do not fit the algorithm.
  CheckSession(FileSystem& files, const CommandSettings& settings, const RunDirectory* resumed,
               Cluster& cluster = Cluster::alone());

  // Returns the exit code.  Throws Error, unless the model is at fault: that is a result.
  int run();

 private:
  void open_model_file();
  void refuse_fairness_of_model() const;
  void open_text();  // prints the header, once
  void say_compiling(const std::string& not_kept);
  void say_how_executed() const;
  std::uint64_t budget_bytes() const;
  void choose_run_directory();
  void expect_same_on_all_ranks() const;
  CheckResult search(std::uint64_t budget_bytes);
  std::vector<std::string> scratch_directories() const;
  const Model& open_product();
  // Those of formulas and automata.
  void read_run_properties(OpeningOptions& reading);
  void add_run_properties();
  const Model& make_product(std::size_t property);
  CheckOptions options_for(std::uint64_t budget_bytes);
  JournalSettings journal_settings() const;
  CheckMonitor::Duties monitor_duties(const Budget& disk_room);
  int report(CheckResult& result);
  void start_dashboard();
  void say_where_it_is_kept() const;
  const RunDirectory* directory() const { return chosen_ ? chosen_->directory() : nullptr; }

  FileSystem& files_;
  const CommandSettings& settings_;
  const RunDirectory* const resumed_;
  Cluster& cluster_;
  const Algorithm& algorithm_;
  const Algorithm* for_system_;  // the same, or what searches a system beside products
  CheckEvents events_{settings_.events_file, resumed_ != nullptr};
  History history_;
  const CheckReport report_{settings_, events_, history_};
  Subject subject_;
  bool opened_ = false;  // the header has been printed
  std::optional<ChosenRunDirectory> chosen_;
  LoadedModel loaded_;
  LoadedModel product_;  // with its property process
  std::optional<RunProperties> runs_;
  FairActors fair_;
  std::unique_ptr<InvariantsModel> invariants_;  // the model with what is asked in each state
  std::vector<std::unique_ptr<Model>> products_;
  std::size_t products_wanted_ = 0;
  CheckWatch watch_;                    // after the others: its thread reads them
  std::optional<Dashboard> dashboard_;  // the last member: its threads read all of them
};

}  // namespace spillway
