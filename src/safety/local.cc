#include "safety/local.h"

#include "safety/local_search.h"

namespace spillway {

std::unique_ptr<Search> make_local(Means means, const LocalSettings& settings) {
  return make_published(means, settings, Revisits::possible,
                        [settings](Desk& desk) -> std::unique_ptr<Published> {
                          if (settings.table.open)
                            return std::make_unique<LocalSearch<OpenStateTable>>(desk, settings);
                          return std::make_unique<LocalSearch<StateTable>>(desk, settings);
                        });
}

std::unique_ptr<Search> make_local(Means means) { return make_local(means, {}); }

}  // namespace spillway
