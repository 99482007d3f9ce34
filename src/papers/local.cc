#include "papers/local.h"

#include "papers/local_search.h"

namespace spillway {

std::unique_ptr<Search> make_local(const SearchContext& context, const LocalSettings& settings) {
  return make_published(context, settings, Revisits::possible,
                        [settings](Desk& desk) -> std::unique_ptr<Published> {
                          if (settings.table.open)
                            return std::make_unique<LocalSearch<OpenStateTable>>(desk, settings);
                          return std::make_unique<LocalSearch<StateTable>>(desk, settings);
                        });
}

std::unique_ptr<Search> make_local(const SearchContext& context) { return make_local(context, {}); }

}  // namespace spillway
