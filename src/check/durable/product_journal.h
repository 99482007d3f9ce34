// Makes the search of a product durable: a journal of its own, beside that of the system.
//
// Its files are among those of the system's journal, with `product-N-` before their names.  Its
// identity is made from that of the run and the number of the product, so a file of another product
// is refused.  When the product is decided and nothing was found, its last checkpoint says so, and
// the rest is removed: a later process takes its counts from there.  A product with a finding is
// continued from its last checkpoint, and the finding is made again.  If no checkpoint is intact,
// the search of the product begins again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/durable/journal.h"
#include "io/data/part_of_disk.h"

namespace spillway {

class ProductJournal {
 public:
  // Of a product of the run whose journal has this disk and these settings.  Throws as Journal
  // does.
  // `rows`: nothing, if it is only examined.
  ProductJournal(Disk& disk, std::size_t product, std::size_t words, std::uint64_t memory_bytes,
                 const JournalSettings& of_run, const RowMeaning& rows = {});
  // The same, beside that journal.
  ProductJournal(Journal& of_run, std::size_t product, const Model& model)
      : ProductJournal(of_run.disk(), product, model.words(), of_run.memory_bytes(),
                       of_run.settings(), row_meaning(model)) {}

  Journal& journal() { return journal_; }
  // Records that the search is complete and nothing was found, unless it is soon searched again. If
  // that cannot be written, it is searched again.  By all ranks; throws what Cluster throws.
  void decide(const Session& session);

 private:
  PartOfDisk disk_;
  Journal journal_;
};

// The newest intact manifest of a product, if any; the reasons against newer ones go to `faults`.
std::optional<Manifest> newest_of_product(Disk& disk, std::size_t product, const RunMark& run,
                                          std::vector<std::string>& faults);
// The products that have files on the disk, in order.
std::vector<std::size_t> products_on(Disk& disk);

}  // namespace spillway
