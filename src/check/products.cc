// The properties of the runs of a model, each judged by the search of a product.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/printable.h"
#include "check/attempt.h"
#include "check/common_end.h"
#include "check/durable/durable_check.h"
#include "check/session/signals.h"

namespace spillway {
namespace {

bool is_of_acceptance(const Trace& trace) { return trace.finding.kind == PropertyKind::acceptance; }

}  // namespace

Attempt::OfProducts Attempt::without_products() const {
  OfProducts none;
  const bool searchable = search_ == nullptr || can_decide_runs();
  for (const RunCheck& run : options_.runs)
    none.runs.push_back({.name = run.name, .kind = run.kind, .searchable = searchable});
  none.unchecked = stock_.unchecked;
  return none;
}

// Products have an algorithm of their own, or the same.
const Algorithm& Attempt::for_products() const {
  return options_.run_algorithm != nullptr ? *options_.run_algorithm : algorithm_;
}

void Attempt::search_products() {
  OfProducts& all = products_;
  if (!options_.wants_runs() || !all.runs.front().searchable || !ending_.search_returned ||
      !ending_.goals_decided || !std::ranges::all_of(shown_.findings, is_of_formula))
    return;
  search_.reset();
  for (std::size_t i = 0; i < all.runs.size() && !ending_.stop && !all.stop && !all.fault; ++i)
    if (options_.is_wanted(options_.runs[i])) search_product(i);
  for (std::size_t i = 0; i < all.runs.size(); ++i)
    all.decided = all.decided && (all.runs[i].decided || !all.runs[i].searchable ||
                                  !options_.is_wanted(options_.runs[i]));
}

// Its states are not those of the model, so it takes a search and a journal of its own.
void Attempt::search_product(std::size_t run) {
  session_.lookout.announce(
      options_.runs[run].kind == PropertyKind::acceptance
          ? "nothing is wrong with the system: searching it together with its property process"
          : fmt::format("searching for a run that violates {}",
                        printable(options_.runs[run].name)));
  const Model* product = nullptr;
  try {
    product = &options_.runs[run].product();
  } catch (const Stopped&) {  // while it was being compiled
    products_.stop = requested_stop().value_or(Stop::time);
  }
  products_.stop = agree_on_stop(session_.cluster, products_.stop);
  if (!products_.stop) search_product(run, *product);
}

CheckOptions Attempt::options_of_product() const {
  CheckOptions options = options_;
  options.runs.clear();
  options.ctl.clear();
  options.ignored.acceptance = false;  // that of the product was asked for
  options.session.deadlock = Deadlock::off;
  options.session.limits.max_errors = 1;
  options.session.limits.timeout_seconds -= seconds();
  return options;
}

void Attempt::search_product(std::size_t run, const Model& product) {
  const Algorithm& first = for_products();
  DurableProduct durable(first.durable ? options_.journal : nullptr, run, product);
  CheckOptions options = options_of_product();
  options.journal = durable.journal();
  std::optional<Budget> rest;
  std::optional<Attempt> attempt;
  const auto begin = [&] {
    if (attempt) {
      enter(Watch::Stage::tracing);  // the session of the product ends
      options.session.limits.timeout_seconds -= attempt->seconds();
      attempt.reset();
    }
    rest.emplace(budget_, budget_.limit() - DurableCheck(options.journal).budget_bytes());
    attempt.emplace(product, first, options, options.session, *rest, disk_);
  };
  try {
    carry_out(attempt, begin);
  } catch (...) {
    enter(Watch::Stage::tracing);
    throw;
  }
  enter(Watch::Stage::tracing);
  if (attempt->has_found_nothing()) durable.decide(attempt->session());
  add_product(run, product, *attempt);
}

// What the search of a product adds to that of the model.
void Attempt::add_product(std::size_t run, const Model& product, Attempt& attempt) {
  OfProducts& all = products_;
  const Evidence evidence = attempt.evidence();
  CheckResult found = attempt.result();
  RunResult& added = all.runs[run];
  // What was found and cannot be shown is open.
  const bool is_open = !attempt.session().findings.empty() && found.traces.empty();
  const bool decided = product.has_acceptance() ? found.goals.acceptance : evidence.goals_decided;
  added.decided = !is_open && (decided || std::ranges::any_of(found.traces, is_of_acceptance));
  added.product = std::move(found.statistics);
  added.searchable = found.decides_acceptance || !product.has_acceptance();
  added.earlier_states = found.earlier_states;
  if (added.kind != PropertyKind::acceptance)
    all.unchecked.insert(all.unchecked.end(), evidence.unchecked.begin(), evidence.unchecked.end());
  else if (evidence.goals_decided)
    all.unchecked = evidence.unchecked;
  all.stop = evidence.stop;
  all.fault = evidence.fault;
  all.fault_sentence = evidence.fault_sentence;
  if (evidence.findings.empty() && !evidence.stop)  // otherwise it need not be complete
    all.obligations.insert(all.obligations.end(), evidence.obligations.begin(),
                           evidence.obligations.end());
  if (!found.no_room.empty()) all.no_room = found.no_room;
  if (!found.not_saved.empty()) all.not_saved = found.not_saved;
  all.earlier_seconds += found.earlier_seconds;
  add_shown(run, product, evidence, std::move(found));
}

void Attempt::add_shown(std::size_t run, const Model& product, const Evidence& evidence,
                        CheckResult found) {
  Shown& all = products_.shown;
  all.findings.insert(all.findings.end(), evidence.findings.begin(), evidence.findings.end());
  // Without findings there was nothing to confirm.
  all.confirmed = all.confirmed && (evidence.findings.empty() || evidence.traces_confirmed);
  all.dropped = all.dropped || evidence.untraced;
  if (!found.untraced.empty()) all.untraced = found.untraced;
  for (Trace& trace : found.traces) {
    trace.product = &product;
    trace.run = run;
    trace.run_kind = options_.runs[run].kind;
    if (is_of_acceptance(trace)) trace.shortest = trace.shortest && options_.runs[run].is_tight;
    all.traces.push_back(std::move(trace));
  }
}

}  // namespace spillway
