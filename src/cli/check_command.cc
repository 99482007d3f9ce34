#include "base/error.h"
#include "cli/check_session.h"
#include "cli/commands.h"
#include "io/system_file_system.h"

namespace spillway {

int run_check(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no model given; try: spillway check MODEL, or spillway check --help");
  SystemFileSystem files;
  return CheckSession(files, settings, nullptr).run();
}

}  // namespace spillway
