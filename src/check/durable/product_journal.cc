#include "check/durable/product_journal.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "check/durable/file_names.h"

namespace spillway {
namespace {

Identity identity_of(const Identity& run, std::size_t product) {
  const std::string hash = sha256(fmt::format("{} product {}\n", run.hex(), product));
  return Identity::from_hex(std::string_view(hash).substr(0, run.hex().size())).value();
}

RunMark mark_of(const RunMark& run, std::size_t product) {
  RunMark mark = run;
  mark.identity = identity_of(run.identity, product);
  return mark;
}

JournalSettings settings_of(const JournalSettings& of_run, std::size_t product, std::size_t words,
                            const RowMeaning& rows) {
  JournalSettings settings = of_run;
  settings.run = mark_of(of_run.run, product);
  settings.rows = rows;
  settings.begun = false;
  settings.product = true;
  if (settings.shape) settings.shape->words = words;
  return settings;
}

}  // namespace

ProductJournal::ProductJournal(Disk& disk, std::size_t product, std::size_t words,
                               std::uint64_t memory_bytes, const JournalSettings& of_run,
                               const RowMeaning& rows)
    : disk_(disk, product_prefix(product)),
      journal_(disk_, words, memory_bytes, settings_of(of_run, product, words, rows)) {}

void ProductJournal::decide(const Session& session) {
  const bool own = !journal_.was_decided() && journal_.is_worth_deciding(session.lookout.seconds());
  if (!session.cluster.any(own)) return;
  journal_.decide(session);
}

std::optional<Manifest> newest_of_product(Disk& disk, std::size_t product, const RunMark& run,
                                          std::vector<std::string>& faults) {
  PartOfDisk files(disk, product_prefix(product));
  return ManifestFiles(files, mark_of(run, product)).newest(faults);
}

std::vector<std::size_t> products_on(Disk& disk) {
  std::set<std::size_t> products;
  for (const std::string& name : disk.list())
    if (const std::optional<RunFile> file = run_file(name); file && file->product)
      products.insert(*file->product);
  return {products.begin(), products.end()};
}

}  // namespace spillway
