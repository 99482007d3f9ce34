#include "check/durable/file_names.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "check/durable/manifest.h"
#include "check/durable/newest_checkpoint.h"
#include "storage/levels/level_log.h"

namespace spillway {
namespace {

using Kind = RunFile::Kind;

constexpr std::string_view kUnfinished = ".tmp";
constexpr std::string_view kProduct = "product-", kRank = "rank-";

// The number at the beginning of a text; the rest is what is behind it.
std::optional<std::uint64_t> cut_number(std::string_view& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number > kMostGenerations) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

std::string name_without_product(const RunFile& file) {
  switch (file.kind) {
    case Kind::log: return LevelLog::name_of(file.number);
    case Kind::manifest: return fmt::format("manifest-{:020}", file.number);
    case Kind::unfinished_manifest:
      return fmt::format("manifest-{:020}{}", file.number, kUnfinished);
    case Kind::extra: return fmt::format("extra-{}", file.number);
    case Kind::newest: return NewestCheckpoint::kName;
    case Kind::unfinished_newest: return fmt::format("{}{}", NewestCheckpoint::kName, kUnfinished);
  }
  return "";
}

}  // namespace

std::string product_prefix(std::size_t product) { return fmt::format("{}{}-", kProduct, product); }

std::string name_of(const RunFile& file) {
  const std::string name = name_without_product(file);
  return file.product ? product_prefix(*file.product) + name : name;
}

std::optional<RunFile> run_file(std::string_view name) {
  std::string_view rest = name;
  std::optional<std::size_t> product;
  if (rest.starts_with(kProduct)) {
    rest.remove_prefix(kProduct.size());
    product = cut_number(rest);
    if (!product || !rest.starts_with('-')) return std::nullopt;
    rest.remove_prefix(1);
  }
  std::optional<std::uint64_t> number;
  if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
    rest.remove_prefix(dash + 1);
    number = cut_number(rest);
  }
  for (const Kind kind : {Kind::log, Kind::manifest, Kind::unfinished_manifest, Kind::extra,
                          Kind::newest, Kind::unfinished_newest}) {
    const RunFile file{kind, number.value_or(0), product};
    if (name_of(file) == name) return file;
  }
  return std::nullopt;
}

bool is_of_journal(std::string_view name) {
  const std::optional<RunFile> file = run_file(name);
  return file &&
         (file->product || (file->kind != Kind::newest && file->kind != Kind::unfinished_newest));
}

std::string rank_folder(unsigned rank) { return fmt::format("{}{}", kRank, rank); }

std::optional<unsigned> rank_of_folder(std::string_view name) {
  if (!name.starts_with(kRank)) return std::nullopt;
  std::string_view rest = name.substr(kRank.size());
  const std::optional<std::uint64_t> rank = cut_number(rest);
  if (!rank || *rank > UINT32_MAX || !rest.empty()) return std::nullopt;
  return static_cast<unsigned>(*rank);
}

bool is_share_out_folder(std::string_view name) {
  return name.starts_with(kShareOutPrefix) && name.size() > kShareOutPrefix.size() &&
         name.find_first_not_of("0123456789-", kShareOutPrefix.size()) == std::string_view::npos;
}

}  // namespace spillway
