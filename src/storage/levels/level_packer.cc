#include "storage/levels/level_packer.h"

#include <algorithm>

namespace spillway {
namespace {

template <std::size_t W>
class PackerOf final : public LevelPacker {
  const BlockShape shape;
  BlockKeeper& keeper;
  BlockPacker<W> packer{shape};
  std::vector<Word> waiting;  // rows that do not make a block yet

 public:
  PackerOf(const BlockShape& s, BlockKeeper& k) : shape(s), keeper(k) {
    waiting.reserve(shape.rows * shape.words);
  }

  void add(States rows) override {
    const Word* row = rows.data();
    const Word* const end = row + rows.size() * shape.words;
    while (row != end) {
      const std::size_t some =
          std::min(static_cast<std::size_t>(end - row), shape.rows * shape.words - waiting.size());
      waiting.insert(waiting.end(), row, row + some);
      row += some;
      if (waiting.size() == shape.rows * shape.words) finish();
    }
  }

  void finish() override {
    if (waiting.empty()) return;
    keeper.keep(packer.pack(waiting.data(), waiting.size() / shape.words));
    waiting.clear();
  }
};

}  // namespace

std::unique_ptr<LevelPacker> LevelPacker::make(const BlockShape& shape, BlockKeeper& keeper) {
  return with_width(shape.words, [&](auto width) -> std::unique_ptr<LevelPacker> {
    return std::make_unique<PackerOf<width()>>(shape, keeper);
  });
}

}  // namespace spillway
