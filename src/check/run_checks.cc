#include "check/run_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "check/attempt.h"
#include "check/product_journal.h"
#include "check/property_results.h"

namespace spillway {
namespace {

// What the search of a product adds to that of the model.
void add_run(std::size_t run, const Model& product, bool is_tight, CheckResult found,
             CheckResult& result) {
  result.runs[run].product = std::move(found.statistics);
  result.runs[run].searchable = found.decides_acceptance || !product.acceptance();
  if (!found.no_room.empty()) result.no_room = found.no_room;
  if (!found.not_saved.empty()) result.not_saved = found.not_saved;
  result.earlier_seconds += found.earlier_seconds;
  result.runs[run].earlier_states = found.earlier_states;
  if (!found.untraced.empty()) result.untraced = found.untraced;
  for (Trace& trace : found.traces) {
    trace.product = &product;
    trace.run = run;
    trace.run_kind = result.runs[run].kind;
    if (trace.finding.kind == FindingKind::acceptance) trace.shortest = trace.shortest && is_tight;
    result.traces.push_back(std::move(trace));
  }
}
void add_run(const Evidence& found, Evidence& evidence) {
  if (found.stop) evidence.stop = found.stop;
  if (found.fault) {
    evidence.fault = found.fault;
    evidence.fault_sentence = found.fault_sentence;
  }
  evidence.findings.insert(evidence.findings.end(), found.findings.begin(), found.findings.end());
  // Without findings there was nothing to confirm.
  if (!found.findings.empty())
    evidence.traces_confirmed = evidence.traces_confirmed && found.traces_confirmed;
  evidence.untraced = evidence.untraced || found.untraced;
  if (found.findings.empty() && !found.stop)  // otherwise it need not be complete
    evidence.obligations.insert(evidence.obligations.end(), found.obligations.begin(),
                                found.obligations.end());
}

bool is_of_formula(const Finding& finding) { return finding.kind == FindingKind::ctl; }

// It is complete, and nothing is wrong.
bool has_found_nothing(const Inquiry& inquiry) {
  return inquiry.is_final() && inquiry.evidence.findings.empty() && !inquiry.evidence.stop &&
         !inquiry.evidence.fault;
}

class RunChecks {
 public:
  explicit RunChecks(Inquiry& inquiry) : it_(inquiry) {}

  void check_runs() {
    if (!it_.options.wants_runs() || !it_.result.runs.front().searchable ||
        !it_.evidence.search_returned || !it_.evidence.goals_decided ||
        !std::ranges::all_of(it_.evidence.findings, is_of_formula))
      return;
    it_.search.reset();
    for (std::size_t i = 0;
         i < it_.options.runs.size() && !it_.evidence.stop && !it_.evidence.fault; ++i)
      if (it_.options.is_wanted(it_.options.runs[i])) search_product(i);
    for (std::size_t i = 0; i < it_.options.runs.size(); ++i) {
      const RunResult& run = it_.result.runs[i];
      it_.evidence.goals_decided =
          it_.evidence.goals_decided &&
          (run.decided || !run.searchable || !it_.options.is_wanted(it_.options.runs[i]));
    }
  }

 private:
  // Its states are not those of the model, so it takes a search and a journal of its own.
  void search_product(std::size_t run) {
    it_.session.lookout.announce(
        it_.options.runs[run].kind == kind_word(FindingKind::acceptance)
            ? "nothing is wrong with the system: searching it together with its property process"
            : fmt::format("searching for a run that violates {}",
                          printable(it_.options.runs[run].name)));
    const Model* product = nullptr;
    try {
      product = &it_.options.runs[run].product();
    } catch (const Stopped&) {  // while it was being compiled
      it_.evidence.stop = requested_stop().value_or(Stop::time);
    }
    if (it_.session.cluster != nullptr)
      it_.evidence.stop = agree_on_stop(*it_.session.cluster, it_.evidence.stop);
    if (!it_.evidence.stop) search(run, *product);
  }

  CheckOptions options_of_product() const {
    CheckOptions options = it_.options;
    options.runs.clear();
    options.ctl.clear();
    options.ignored.acceptance = false;  // that of the product was asked for
    options.journal = nullptr;
    options.session.deadlock = Deadlock::off;
    options.session.limits.max_errors = 1;
    options.session.limits.timeout_seconds -= it_.seconds();
    return options;
  }

  void search(std::size_t run, const Model& product) {
    const Algorithm& first = it_.for_products();
    CheckOptions options = options_of_product();
    std::optional<ProductJournal> kept;
    if (it_.options.journal != nullptr && first.durable)
      options.journal = &kept.emplace(*it_.options.journal, run, product).journal();
    std::optional<Budget> rest;
    std::optional<Attempt> attempt;
    const auto begin = [&](const Algorithm& algorithm) {
      if (attempt) {
        it_.enter(Watch::Stage::tracing);  // the session of the product ends
        options.session.limits.timeout_seconds -= attempt->seconds();
        attempt.reset();
      }
      rest.emplace(it_.budget, it_.budget.limit() - (kept ? options.journal->budget_bytes() : 0));
      attempt.emplace(product, algorithm, options, options.session, *rest, it_.disk);
    };
    try {
      Attempt::carry_out(attempt, first, begin);
    } catch (...) {
      it_.enter(Watch::Stage::tracing);
      throw;
    }
    it_.enter(Watch::Stage::tracing);
    if (kept && has_found_nothing(attempt->inquiry())) kept->decide(attempt->inquiry().session);
    add(run, product, *attempt);
  }

  void add(std::size_t run, const Model& product, Attempt& attempt) {
    const Inquiry& of = attempt.inquiry();
    CheckResult found = attempt.result();
    // What was found and cannot be shown is open.
    const bool is_open = !of.session.findings.empty() && found.traces.empty();
    it_.result.runs[run].decided =
        !is_open && ((product.acceptance() ? found.goals.acceptance : of.evidence.goals_decided) ||
                     std::ranges::any_of(found.traces, [](const Trace& trace) {
                       return trace.finding.kind == FindingKind::acceptance;
                     }));
    if (it_.result.runs[run].kind == kind_word(FindingKind::acceptance)) {
      if (of.evidence.goals_decided) it_.evidence.unchecked = of.evidence.unchecked;
    } else {
      for (const std::string& name : of.evidence.unchecked) it_.evidence.unchecked.push_back(name);
    }
    add_run(run, product, it_.options.runs[run].is_tight, std::move(found), it_.result);
    add_run(of.evidence, it_.evidence);
  }

  Inquiry& it_;
};

}  // namespace

void check_runs(Inquiry& inquiry) { RunChecks(inquiry).check_runs(); }

}  // namespace spillway
