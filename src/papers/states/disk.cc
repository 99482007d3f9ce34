#include "papers/states/disk.h"

#include "papers/states/local_search.h"

namespace spillway {
namespace {

class DiskSearch final : public LocalSearch<StateTable>, public Resumable {
 public:
  using LocalSearch::LocalSearch;

  void go_on(Dump dump) override {
    D = std::move(dump.D);
    Q_ck = std::move(dump.Q);
    do expand_level();
    while (Q_ck->advance());
  }
  Counters work() const override { return counters(); }
};

}  // namespace

std::unique_ptr<Resumable> make_resumable_disk(Workbench& workbench, const DiskSettings& settings) {
  return std::make_unique<DiskSearch>(workbench, settings);
}

std::unique_ptr<Search> make_disk(const SearchContext& context, const DiskSettings& settings) {
  return make_published(context, settings, Revisits::possible, [settings](Workbench& workbench) {
    return std::make_unique<DiskSearch>(workbench, settings);
  });
}

std::unique_ptr<Search> make_disk(const SearchContext& context) { return make_disk(context, {}); }

}  // namespace spillway
