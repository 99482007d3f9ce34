#include "safety/serial.h"

#include <fmt/format.h>

#include "base/quantity.h"

namespace spillway {
namespace {

class Serial final : public Published {
  Desk& desk;
  const SerialSettings settings;

 public:
  Serial(Desk& d, const SerialSettings& s) : Published(d), desk(d), settings(s) {}

  void search() override {
    auto cbf = make_leavable_cached(desk, settings.cached);
    if (cbf->search_until_crowded()) return;
    Dump dump = cbf->dump();
    cbf.reset();
    run.announce(fmt::format("the cache forgets too much after {} expansions: going on with the disk search",
                             with_commas(run.expansions())));
    make_resumable_disk(desk, settings.disk)->go_on(std::move(dump));
  }
};

}  // namespace

std::unique_ptr<Search> make_serial(Means means, const SerialSettings& settings) {
  return make_published(means, settings.cached, Revisits::possible,
                        [settings](Desk& desk) { return std::make_unique<Serial>(desk, settings); });
}

std::unique_ptr<Search> make_serial(Means means) { return make_serial(means, {}); }

}  // namespace spillway
