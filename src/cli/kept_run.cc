#include "cli/kept_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/sha256.h"
#include "report/version.h"

namespace spillway {

std::vector<std::string> recorded_arguments(const Settings& settings, const RunProperties& runs) {
  std::vector<std::string> arguments;
  for (const std::string& option : settings.given)
    if (kept_for_later(option)) arguments.push_back(option);
  // A file may be another one by then.
  for (const std::string& formula : runs.formulas_of_files())
    arguments.push_back("--ltl=" + formula);
  return arguments;
}

bool is_of_check(const RunConfig& run, const Settings& settings) {
  // Where files are does not matter to a result.
  const auto names_disk = [](const std::string& one) { return one.starts_with("--disk="); };
  try {
    std::vector<std::string> wanted = recorded_arguments(settings, RunProperties(settings.runs));
    std::vector<std::string> recorded = run.arguments;
    std::erase_if(wanted, names_disk);
    std::erase_if(recorded, names_disk);
    return run.sha256 == sha256_of(settings.subject) && run.version == kVersion &&
           run.copy == copy_name(settings.subject) && recorded == wanted;
  } catch (const Error&) {  // formulas that cannot be read: the check will say so
    return false;
  }
}

Settings kept_settings(const RunDirectory& directory) {
  const std::string file = directory.path() + "/config";
  Settings settings;
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
