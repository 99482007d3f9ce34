#include "check/check.h"

namespace spillway {
namespace {

void add_run_result(const CheckResult& result, std::size_t run, std::vector<PropertyResult>& all) {
  const RunResult& of = result.runs[run];
  PropertyResult& added = all.emplace_back();
  added.name = of.name;
  added.kind = of.kind;
  added.checked = of.searchable;
  added.ignored = result.ignored.acceptance && of.kind == PropertyKind::acceptance;
  for (const Trace& trace : result.traces)
    if (trace.product != nullptr && trace.run == run &&
        trace.finding.kind == PropertyKind::acceptance)
      added.trace = &trace;
  added.outcome =
      judge({PropertyKind::acceptance, added.trace != nullptr, of.decided}, result.verdict);
}

// The run check of the model's property process; nullptr if there is none.
const RunResult* property_process(const CheckResult& result) {
  for (const RunResult& run : result.runs)
    if (run.kind == PropertyKind::acceptance) return &run;
  return nullptr;
}

}  // namespace

std::vector<PropertyResult> CheckResult::properties(const Model& model, Deadlock deadlock) const {
  std::vector<PropertyResult> all;
  const auto add = [&](std::string name, PropertyKind kind, PropertyIndex property) {
    PropertyResult& added = all.emplace_back();
    added.name = std::move(name);
    added.kind = kind;
    for (const Trace& trace : traces)
      if (trace.finding.kind == kind && trace.finding.property == property &&
          (trace.product == nullptr || kind == PropertyKind::runtime_error))
        added.trace = &trace;
    added.ignored = kind == PropertyKind::reachable && ignored.reachable;
    const std::vector<bool>& ones = kind == PropertyKind::ctl ? goals.ctl : goals.decided;
    const bool decided = kind == PropertyKind::acceptance
                             ? goals.acceptance
                             : property < ones.size() && ones[property];
    added.outcome = judge({kind, added.trace != nullptr, decided}, verdict);
  };
  for (PropertyIndex i = 0; i < model.properties().size(); ++i) {
    const Property& p = model.properties()[i];
    add(p.name, p.kind, i);
    all.back().line = p.line;
    all.back().column = p.column;
  }
  if (deadlock != Deadlock::off) add("no deadlock", PropertyKind::deadlock, 0);
  add("no run-time error", PropertyKind::runtime_error, 0);
  if (const std::optional<std::string> acceptance = model.acceptance().property()) {
    add(*acceptance, PropertyKind::acceptance, 0);
    all.back().ignored = ignored.acceptance;
    all.back().checked = decides_acceptance;
  }
  for (PropertyIndex i = 0; i < ctl.size(); ++i) add(ctl[i], PropertyKind::ctl, i);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!runs[i].name.empty()) add_run_result(*this, i, all);
  for (const Unchecked& property : model.unchecked()) {
    const RunResult* judge_of_runs = property_process(*this);
    if (property.kind == PropertyKind::acceptance && judge_of_runs != nullptr) continue;
    PropertyResult& added = all.emplace_back();
    added.name = property.name;
    added.kind = property.kind;
    added.ignored = ignored.acceptance;
    added.checked = judge_of_runs != nullptr && judge_of_runs->searchable;
    if (property.kind != PropertyKind::invariant || judge_of_runs == nullptr ||
        !judge_of_runs->product)
      continue;
    for (const Trace& trace : traces)
      if (trace.product != nullptr && trace.finding.kind == PropertyKind::invariant &&
          trace.product->properties()[trace.finding.property].name == property.name)
        added.trace = &trace;
    added.outcome = judge({PropertyKind::invariant, added.trace != nullptr}, verdict);
  }
  return all;
}

}  // namespace spillway
