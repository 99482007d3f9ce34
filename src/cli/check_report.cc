#include "cli/check_report.h"

#include "cli/output.h"
#include "report/json.h"
#include "report/text.h"

namespace spillway {

int CheckReport::exit_code(const Verdict& verdict) const {
  if (!settings_.simple_exit_codes) return static_cast<int>(verdict.exit);
  switch (verdict.outcome) {
    case Outcome::verified:
    case Outcome::verified_probabilistic: return 0;
    case Outcome::violated: return 1;
    default: return 2;
  }
}

std::string CheckReport::tell(const Subject& subject, const CheckResult& result) const {
  const TextStyle style{settings_.quiet, settings_.verbose,
                        wants_color(text_stream(), settings_.color), settings_.trace};
  say(text_stream(), result_text(subject, result, style));
  std::string json = to_json(subject, result, exit_code(result.verdict));
  if (!settings_.json_file.empty()) write_file(settings_.json_file, json);
  return json;
}

}  // namespace spillway
