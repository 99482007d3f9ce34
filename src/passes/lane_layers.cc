#include "passes/lane_layers.h"

#include <fmt/format.h>

#include "base/process/identity.h"
#include "passes/packed_numbers.h"

namespace spillway {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 10;

}  // namespace

void LaneLayers::begin_layer() {
  end_piece();
  layers_.push_back(pieces_.size());
}

void LaneLayers::add(Node node, std::uint64_t lanes) {
  if (open_.size() >= kPieceBytes) end_piece();
  put_number(open_, node - before_);
  put_number(open_, lanes);
  before_ = node;
}

void LaneLayers::end_piece() {
  before_ = 0;
  if (open_.empty()) return;
  Piece& piece = pieces_.emplace_back();
  piece.size = open_.size();
  if (room_.disk != nullptr && budget_.left() < open_.size() + room_.reserve_bytes) {
    if (!file_)
      file_.emplace(*room_.disk, budget_, fmt::format("layers-{:016x}", drawn_number()),
                    room_.block_bytes);
    piece.claim = Claim(budget_, sizeof(Piece));
    piece.at = file_->append(open_);
  } else {
    piece.claim = Claim(budget_, sizeof(Piece) + open_.size());
    piece.bytes.assign(open_.begin(), open_.end());  // without spare room
  }
  open_.clear();
}

void LaneLayers::settle() {
  end_piece();
  layers_.push_back(pieces_.size());
  if (file_) file_->settle();
}

void LaneLayers::each(std::size_t layer, const std::function<bool(Node, std::uint64_t)>& visit) {
  std::optional<ByteFile::Reader> reader;
  std::vector<std::uint8_t> read;
  for (std::size_t i = layers_[layer]; i < layers_[layer + 1]; ++i) {
    const Piece& piece = pieces_[i];
    const std::uint8_t* at = piece.bytes.data();
    if (piece.bytes.empty()) {
      if (!reader) reader.emplace(*file_, budget_);
      read.resize(piece.size);
      reader->read(piece.at, read);
      at = read.data();
    }
    const std::uint8_t* const end = at + piece.size;
    for (Node node = 0; at != end;) {
      node += get_number(at);
      if (!visit(node, get_number(at))) return;
    }
  }
}

}  // namespace spillway
