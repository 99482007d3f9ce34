// What a check as a whole asks of its journal.  Without one nothing is kept, and nothing is
// resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "check/durable/journal.h"
#include "check/durable/product_journal.h"
#include "check/session/search.h"
#include "check/session/session.h"

namespace spillway {

class DurableCheck {
 public:
  // `journal`: nullptr if nothing is to be kept.
  explicit DurableCheck(Journal* journal) : journal_(journal) {}

  // For the search.
  Checkpoints& checkpoints() const { return journal_ ? *journal_ : Checkpoints::none(); }
  // Memory that is not available to the search.
  std::uint64_t budget_bytes() const { return journal_ ? journal_->budget_bytes() : 0; }

  // See Journal.
  void agree(Cluster& cluster) const;
  bool was_decided() const { return journal_ && journal_->was_decided(); }
  bool fall_back(const std::string& why) const { return journal_ && journal_->fall_back(why); }

  // Resumes from the newest checkpoint, if there is one.
  void resume(Session& session) const;
  // Makes a last checkpoint, of all completed levels; none is needed where nothing is left to do
  // (`final`), unless the journal wants it.  Returns why there is none, if there should be one.
  std::string save(const Session& session, Search& search, bool final) const;

 private:
  Journal* const journal_;
};

// The same for a product of the model.
class DurableProduct {
 public:
  // `of_run`: nullptr if nothing is to be kept.
  DurableProduct(Journal* of_run, std::size_t product, const Model& model);

  Journal* journal() { return kept_ ? &kept_->journal() : nullptr; }
  // See ProductJournal.
  void decide(const Session& session);

 private:
  std::optional<ProductJournal> kept_;
};

}  // namespace spillway
