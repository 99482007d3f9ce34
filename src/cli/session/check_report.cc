#include "cli/session/check_report.h"

#include <algorithm>

#include "base/process/machine.h"
#include "cli/session/output.h"
#include "cli/session/saved_result.h"
#include "report/coverage.h"
#include "report/json.h"
#include "report/text.h"

namespace spillway {
namespace {

// What of --memory a document may take.  It is held twice, and a page is made of it by way of
// objects that take some twenty times as much.
constexpr std::uint64_t kPartOfRunDirectory = 8;
constexpr std::uint64_t kPartOfPage = 64;

}  // namespace

bool CheckReport::fails_on_dead_rules(const CheckResult& result) const {
  return settings_.fail_on_dead_rules && result.verdict.exit == Exit::verified &&
         !all_rules_fired(result);
}

int CheckReport::exit_code(const CheckResult& result) const {
  const Verdict& verdict = result.verdict;
  const bool fails = fails_on_dead_rules(result);
  if (!settings_.simple_exit_codes)
    return static_cast<int>(fails ? Exit::dead_rules : verdict.exit);
  if (fails) return 2;
  switch (verdict.outcome) {
    case Outcome::verified:
    case Outcome::verified_probabilistic: return 0;
    case Outcome::violated: return 1;
    default: return 2;
  }
}

std::string CheckReport::document(const Subject& subject, const CheckResult& result,
                                  Use use) const {
  const std::uint64_t part = use == Use::page ? kPartOfPage : kPartOfRunDirectory;
  return to_json(subject, result, exit_code(result), subject.memory_bytes / part);
}

void CheckReport::write_page(const Subject& subject, const CheckResult& result) const {
  const std::string json = document(subject, result, Use::page);
  ReportExtras extras;
  extras.source = model_text(settings_.subject, subject.sha256);
  history_.add_to(extras);
  replace_file(settings_.report_file, report_html(json, settings_.report_file, extras));
}

void CheckReport::tell(const Subject& subject, CheckResult& result) const {
  const TextStyle style{settings_.quiet, settings_.verbose,
                        wants_color(text_stream(), settings_.color), settings_.trace};
  if (settings_.quiet && fails_on_dead_rules(result)) say(text_stream(), dead_rules_text(result));
  say_text(text_stream(),
           [&](const TextSink& sink) { write_result_text(subject, result, style, sink); });
  result.peak_memory_bytes = std::max(result.peak_memory_bytes, peak_resident_bytes());
  if (!settings_.report_file.empty()) write_page(subject, result);
  if (!settings_.json_file.empty())
    write_file(settings_.json_file,
               [&](const TextSink& sink) { write_json(subject, result, exit_code(result), sink); });
  events_.end(subject, result, exit_code(result));
}

}  // namespace spillway
