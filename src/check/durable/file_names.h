// The names of the files and folders of a run: what is found is read here, and nowhere else.
//
//   levels-N        a file of the log of levels
//   manifest-N      a checkpoint; N has 20 digits.  manifest-N.tmp is not complete
//   extra-N         what is kept beside the log
//   checkpoints     which checkpoint is the newest.  checkpoints.tmp is not complete
//   product-P-NAME  any of these, of product P
//   rank-R          the folder of rank R
//   of-A-B          a folder of parts that were shared out anew
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway {

struct RunFile {
  enum class Kind { log, manifest, unfinished_manifest, extra, newest, unfinished_newest };
  Kind kind;
  std::uint64_t number = 0;                 // 0 for the newest
  std::optional<std::size_t> product = {};  // nothing: of the system
  bool operator==(const RunFile&) const = default;
};

std::string name_of(const RunFile& file);
// std::nullopt unless name_of() gives this name.
std::optional<RunFile> run_file(std::string_view name);
// True if a journal, of the system or of a product, has files of this name.  Which checkpoint of
// the system is the newest is not the journal's alone.
bool is_of_journal(std::string_view name);
// What the names of its files begin with.
std::string product_prefix(std::size_t product);

std::string rank_folder(unsigned rank);
// std::nullopt if it is no folder of a rank.
std::optional<unsigned> rank_of_folder(std::string_view name);
// A folder that share_out() makes.
inline constexpr std::string_view kShareOutPrefix = "of-";
bool is_share_out_folder(std::string_view name);

}  // namespace spillway
