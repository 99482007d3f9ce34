#include "check/durable/durable_check.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {

void DurableCheck::agree(Cluster& cluster) const {
  if (journal_) journal_->agree(cluster);
}

void DurableCheck::resume(Session& session) const {
  if (!journal_) return;
  const Manifest* const from = journal_->resumed();
  const Lookout& lookout = session.lookout;
  for (const std::string& why : journal_->rejected())
    lookout.announce("checkpoint skipped: " + why);
  if (!journal_->doubt().empty()) lookout.announce(journal_->doubt());
  if (!from && !journal_->rejected().empty())
    lookout.announce(journal_->has_other_rows()
                         ? "no checkpoint is of this version: the search begins again"
                         : "no checkpoint is intact: the search begins again");
  if (!from) return;
  lookout.announce(
      fmt::format("resuming from checkpoint {}: {} states in {} levels, {} in the next",
                  from->generation, with_commas(from->states()), with_commas(from->levels.size()),
                  with_commas(from->level_states)));
  session.restore(*from);
}

std::string DurableCheck::save(const Session& session, Search& search, bool final) const {
  if (!journal_ || (final && !journal_->wants_complete())) return "";
  Cluster& cluster = session.cluster;
  if (!cluster.any(!journal_->has_all_of(session))) return "";
  const LevelAccounts& levels = session.levels;
  if (cluster.any(levels.discarding()) ||
      (levels.counts().levels.empty() && levels.level_states() == 0))
    return "";
  try {
    search.complete_level();
    journal_->commit(session);
    return "";
  } catch (const Cluster::Left&) {
    cluster.leave();
    return "another rank could not save its part";
  } catch (const Error& error) {
    if (error.fault() == Fault::lost) throw;
    cluster.leave();
    return error.what();
  }
}

DurableProduct::DurableProduct(Journal* of_run, std::size_t product, const Model& model) {
  if (of_run) kept_.emplace(*of_run, product, model);
}

void DurableProduct::decide(const Session& session) {
  if (kept_) kept_->decide(session);
}

}  // namespace spillway
