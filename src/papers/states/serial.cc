#include "papers/states/serial.h"

#include <fmt/format.h>

#include "base/text/quantity.h"

namespace spillway {
namespace {

class Serial final : public Published {
  Workbench& workbench;
  const SerialSettings settings;
  std::unique_ptr<LeavableCached> cbf;
  std::unique_ptr<Resumable> dbf;
  Counters of_cbf;  // when there is none any more
  SerialCounts counts;

 public:
  Serial(Workbench& d, const SerialSettings& s) : Published(d), workbench(d), settings(s) {}

  void search() override {
    cbf = make_leavable_cached(workbench, settings.cached);
    if (cbf->search_until_crowded()) return;
    Dump dump = cbf->dump();
    counts = {1, session.expansions(), dump.Q->size(), dump.D->size()};
    of_cbf = cbf->counters();
    cbf.reset();
    session.lookout.announce(fmt::format(
        "the cache forgets too much after {} expansions: continuing with the disk search",
        with_commas(session.expansions())));
    dbf = make_resumable_disk(workbench, settings.disk);
    dbf->go_on(std::move(dump));
  }

  Counters counters() const override {
    return counts.list() + (cbf ? cbf->counters() : of_cbf) + (dbf ? dbf->work() : Counters());
  }
};

}  // namespace

std::unique_ptr<Search> make_serial(const SearchContext& context, const SerialSettings& settings) {
  return make_published(
      context, settings.cached, Revisits::possible,
      [settings](Workbench& workbench) { return std::make_unique<Serial>(workbench, settings); });
}

std::unique_ptr<Search> make_serial(const SearchContext& context) {
  return make_serial(context, {});
}

}  // namespace spillway
