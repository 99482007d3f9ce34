#include "papers/storage/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/error.h"

namespace spillway {

Store::Store(Disk& disk, Budget& budget, Shape shape, const Options& options)
    : disk_(disk),
      budget_(budget),
      shape_(shape),
      options_(options),
      partition_(shape.key, options.partitions) {
  SPILLWAY_CHECK(shape.key > 0);
  if (options_.table_bytes == 0) options_.table_bytes = budget.limit() / 4;
  if (options_.run_id == 0) {
    std::random_device random;
    options_.run_id = static_cast<std::uint64_t>(random()) << 32 | random();
  }
}

BlockFormat Store::new_format() {
  BlockFormat format;
  format.run_id = options_.run_id;
  format.file_id = new_file_id();
  format.block_bytes = std::max(round_up_to_sector(options_.block_bytes),
                                round_up_to_sector(kBlockHeaderBytes + shape_.bytes()));
  std::size_t rows = format.capacity() / shape_.bytes();
  if (options_.rows_per_block != 0) rows = std::min(rows, options_.rows_per_block);
  format.fill_bytes = rows * shape_.bytes();
  return format;
}

std::string Store::new_name(std::string_view purpose) {
  return fmt::format("{}{}-{}", options_.label, purpose, new_file_id());
}

}  // namespace spillway
