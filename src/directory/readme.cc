#include "directory/readme.h"

#include <fmt/format.h>

namespace spillway {

std::string readme_text(const std::string& path, const RunConfig& config) {
  return fmt::format(
      "This directory belongs to a run of Spillway {}, started {} on {}.\n"
      "The run checks {} (SHA-256 {}).\n\n"
      "  spillway status {}   show its progress\n"
      "  spillway resume {}{}   continue from the last checkpoint\n"
      "  spillway fsck {}     read everything and report whether it is intact\n"
      "  spillway clean {}    remove the run\n\n"
      "The directory can be copied to another machine while no process is working on it.\n\n"
      "config      the model and the options of the run\n"
      "model.*     a copy of the model: this copy is checked, whatever happens to the original\n"
      "checkpoints the number of the newest checkpoint\n"
      "manifest-*  the two newest checkpoints: texts that list the complete levels\n"
      "levels-*    the states of all levels\n"
      "places      other directories with files of this run\n"
      "now         where a living process is\n"
      "result.json the result of the last process, if it ended normally\n"
      "result-before.json  the result of an earlier process\n",
      config.version, config.begun, config.machine, config.model, config.sha256, path, path,
      config.native() ? " --model FILE" : "", path, path);
}

}  // namespace spillway
