#include "cli/kept_run.h"

#include <fmt/format.h>

#include "base/error.h"

namespace spillway {

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
