#include "cli/session/kept_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/options/check_identity.h"

namespace spillway {

std::vector<std::string> recorded_arguments(const CommandSettings& settings,
                                            const RunProperties& runs) {
  std::vector<std::string> arguments;
  for (const std::string& option : settings.given)
    if (kept_for_later(option)) arguments.push_back(option);
  // A file may be another one by then.
  for (const std::string& formula : runs.formulas_of_files())
    arguments.push_back("--ltl=" + formula);
  return arguments;
}

bool is_of_check(const RunConfig& run, const CommandSettings& settings) {
  try {
    CommandSettings kept;
    set_kept(kept, run.arguments, "config");
    return run.copy == copy_name(settings.subject) && ranks_text(kept) == ranks_text(settings) &&
           check_identity(run, "config") == check_identity(settings);
  } catch (const Error&) {  // what cannot be read: the check will say so
    return false;
  }
}

CommandSettings kept_settings(const RunDirectory& directory) {
  const std::string file = directory.path() + "/config";
  CommandSettings settings;
  set_kept(settings, directory.config().arguments, file);
  if (settings.algorithm != nullptr && !settings.algorithm->durable)
    throw Error(Fault::integrity, fmt::format("{}: --algorithm={} does not support checkpoints",
                                              file, settings.algorithm->name));
  return settings;
}

SystemDisk::Options kept_files(const RunDirectory& directory) {
  SystemDisk::Options options{directory.own_places(), SystemDisk::Keep::yes, EngineKind::best, 0};
  options.only_read = directory.places_of_original();
  return options;
}

}  // namespace spillway
