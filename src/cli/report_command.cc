#include <filesystem>

#include "base/error.h"
#include "base/text/read_file.h"
#include "cli/commands.h"
#include "cli/session/output.h"
#include "cli/session/saved_result.h"
#include "report/json.h"
#include "report/page/history.h"
#include "report/page/report_html.h"

namespace spillway {

int run_report(const CommandSettings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no result given; try: spillway report FILE, or spillway report --help");
  const std::string& path = settings.subject;
  const std::string document = saved_result(path);
  ReportExtras extras;
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    extras.source = model_text_of_run(path);
  else if (const std::optional<ReadResult> result = read_result(document))
    extras.source = model_text(result->model, result->model_sha256);
  if (!settings.events_file.empty())
    extras.moments = moments_of_events(read_file(settings.events_file));
  replace_file(settings.shown.file, report_html(document, path, extras));
  return 0;
}

}  // namespace spillway
