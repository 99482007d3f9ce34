#include "check/durable/product_journal.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "base/error.h"
#include "base/sha256.h"

namespace spillway {
namespace {

constexpr std::string_view kProduct = "product-";

std::string prefix_of(std::size_t product) { return fmt::format("{}{}-", kProduct, product); }

Identity identity_of(const Identity& run, std::size_t product) {
  const std::string hash = sha256(fmt::format("{} product {}\n", run.hex(), product));
  return Identity::from_hex(std::string_view(hash).substr(0, run.hex().size())).value();
}

}  // namespace

std::optional<ProductFile> product_file(std::string_view name) {
  if (!name.starts_with(kProduct)) return std::nullopt;
  ProductFile file;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kProduct.size(), end, file.product);
  if (error != std::errc() || !name.starts_with(prefix_of(file.product))) return std::nullopt;
  file.name = name.substr(prefix_of(file.product).size());
  return file;
}

bool is_of_journal(const std::string& name) {
  const auto is_log = [](const std::string& file) {
    return ManifestFiles::generation_in(file).has_value() ||
           LevelLog::number_in(file).has_value() || extra_number(file).has_value();
  };
  const std::optional<ProductFile> file = product_file(name);
  if (!file) return is_log(name);
  const std::string newest = NewestCheckpoint::kName;
  return is_log(std::string(file->name)) || file->name == newest || file->name == newest + ".tmp";
}

namespace {

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
    : disk_(disk, prefix_of(product)),
      journal_(disk_, words, memory_bytes, settings_of(of_run, product, words, rows)) {}

void ProductJournal::decide(const Session& session) {
  const bool own = !journal_.was_decided() && journal_.is_worth_deciding(session.lookout.seconds());
  if (!session.cluster.any(own)) return;
  journal_.decide(session);
}

std::optional<Manifest> newest_of_product(Disk& disk, std::size_t product, const RunMark& run,
                                          std::vector<std::string>& faults) {
  PartOfDisk files(disk, prefix_of(product));
  return ManifestFiles(files, mark_of(run, product)).newest(faults);
}

std::vector<std::size_t> products_on(Disk& disk) {
  std::set<std::size_t> products;
  for (const std::string& name : disk.list())
    if (const std::optional<ProductFile> file = product_file(name)) products.insert(file->product);
  return {products.begin(), products.end()};
}

}  // namespace spillway
