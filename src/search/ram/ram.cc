#include "search/ram/ram.h"

#include "search/ram/packed_set.h"
#include "search/ram/ram_search.h"
#include "search/ram/ram_set.h"

namespace spillway {
namespace {

std::unique_ptr<InterruptibleSearch> make(const SearchContext& context, const RamSettings& settings,
                                          bool can_be_left) {
  switch (context.session.row_words()) {
    case 1:
      return std::make_unique<RamSearch<ShortSet<1>, VisitAll>>(context, settings, can_be_left);
    case 2:
      return std::make_unique<RamSearch<ShortSet<2>, VisitAll>>(context, settings, can_be_left);
    default:
      return std::make_unique<RamSearch<PackedSet, VisitAll>>(context, settings, can_be_left);
  }
}

}  // namespace

std::unique_ptr<Search> make_ram(const SearchContext& context, const RamSettings& settings) {
  return make(context, settings, false);
}

std::unique_ptr<Search> make_ram(const SearchContext& context) {
  return make(context, RamSettings{}, false);
}

std::unique_ptr<InterruptibleSearch> make_interruptible_ram(const SearchContext& context,
                                                            const RamSettings& settings) {
  return make(context, settings, true);
}

}  // namespace spillway
