#include "cli/commands.h"
#include "cli/options/given_options.h"
#include "cli/session/check_session.h"
#include "cli/session/ranks.h"
#include "io/texts/system_file_system.h"

namespace spillway {

int run_check(const CommandSettings& settings) {
  need_model(settings, "check");
  SystemFileSystem files;
  Ranks ranks(settings.commit);
  const CommandSettings own = ranks.settings_for(settings);
  const int code = CheckSession(files, own, nullptr, ranks.cluster()).run();
  ranks.end();
  return code;
}

}  // namespace spillway
