#include "cli/check_report.h"

#include "cli/output.h"
#include "cli/saved_result.h"
#include "report/coverage.h"
#include "report/json.h"
#include "report/text.h"

namespace spillway {

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

void CheckReport::write_page(const Subject& subject, const std::string& json) const {
  ReportExtras extras;
  extras.source = model_text(settings_.subject, subject.sha256);
  history_.add_to(extras);
  replace_file(settings_.report_file, report_html(json, settings_.report_file, extras));
}

std::string CheckReport::tell(const Subject& subject, const CheckResult& result) const {
  const TextStyle style{settings_.quiet, settings_.verbose,
                        wants_color(text_stream(), settings_.color), settings_.trace};
  if (settings_.quiet && fails_on_dead_rules(result)) say(text_stream(), dead_rules_text(result));
  say(text_stream(), result_text(subject, result, style));
  std::string json = to_json(subject, result, exit_code(result));
  if (!settings_.json_file.empty()) write_file(settings_.json_file, json);
  if (!settings_.report_file.empty()) write_page(subject, json);
  events_.end(subject, result, exit_code(result));
  return json;
}

}  // namespace spillway
