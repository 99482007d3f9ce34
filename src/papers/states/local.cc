#include "papers/states/local.h"

#include "papers/states/local_search.h"

namespace spillway {

std::unique_ptr<Search> make_local(const SearchContext& context, const LocalSettings& settings) {
  return make_published(context, settings, Revisits::possible,
                        [settings](Workbench& workbench) -> std::unique_ptr<Published> {
                          if (settings.table.open)
                            return std::make_unique<LocalSearch<OpenStateTable>>(workbench,
                                                                                 settings);
                          return std::make_unique<LocalSearch<StateTable>>(workbench, settings);
                        });
}

std::unique_ptr<Search> make_local(const SearchContext& context) { return make_local(context, {}); }

}  // namespace spillway
