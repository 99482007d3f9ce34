#include "oracle/layered_graph.h"

#include <algorithm>
#include <numeric>

namespace spillway {
namespace {

class Layers {
 public:
  explicit Layers(std::mt19937_64& random)
      : random_(random),
        width_(1 + below(20)),
        depth_(5 + below(60)),
        band_(1 + below(depth_)),
        numbers_(width_ * depth_) {
    std::iota(numbers_.begin(), numbers_.end(), 0);
    std::shuffle(numbers_.begin(), numbers_.end(), random_);
  }

  GraphSpec graph() {
    const Vertex back_one_in = 2 + below(30);
    for (Vertex layer = 0; layer < depth_; ++layer)
      for (Vertex i = 0; i < width_; ++i) {
        if (layer + 1 < depth_)
          for (Vertex steps = 1 + below(3); steps > 0; --steps)
            graph_.edges.emplace_back(at(layer, i), at(layer + 1, any()));
        const Vertex first = layer / band_ * band_;  // of this band
        if (below(back_one_in) == 0)
          graph_.edges.emplace_back(at(layer, i), at(first + below(layer - first + 1), any()));
      }
    for (Vertex count = 1 + below(3); count > 0; --count) graph_.initial.push_back(at(0, any()));
    accept();
    if (below(2) == 0) divide();
    graph_.words = 1 + below(2);
    graph_.coding = below(kCodings);
    return graph_;
  }

 private:
  Vertex below(Vertex end) { return static_cast<Vertex>(random_() % end); }
  Vertex any() { return below(width_); }
  Vertex at(Vertex layer, Vertex i) const { return numbers_[layer * width_ + i]; }

  void accept() {
    const Vertex one_in = 2 + below(20);
    for (const Vertex node : numbers_)
      if (below(one_in) == 0) graph_.accepting.push_back(node);
    if (graph_.accepting.empty()) graph_.accepting.push_back(numbers_.front());
    if (below(2) == 0) return;
    graph_.accepting.clear();
    graph_.sets = 1 + below(4);
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      SetMask marks = 0;
      for (unsigned set = 0; set < graph_.sets; ++set)
        if (below(one_in) < 2) marks |= SetMask{1} << set;
      graph_.marks.push_back(marks);
    }
  }
  void divide() {
    for (Vertex layer = 0; layer < depth_; ++layer)
      for (Vertex i = 0; i < width_; ++i) graph_.parts[at(layer, i)] = layer / band_;
  }

  std::mt19937_64& random_;
  const Vertex width_, depth_, band_;
  std::vector<Vertex> numbers_;
  GraphSpec graph_;
};

}  // namespace

GraphSpec layered_graph(std::mt19937_64& random) { return Layers(random).graph(); }

}  // namespace spillway
