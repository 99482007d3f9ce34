#include "search/runs/odd_states.h"

namespace spillway {

OddStates::OddStates(const StageContext& context, std::size_t rows, std::size_t threads)
    : store_(context.store), lookout_(context.session.lookout), shape_(context.level_shape) {
  for (std::size_t i = 0; i < threads; ++i)
    sorts_.push_back(std::make_unique<ExternalSort<0>>(context.budget, store_, shape_, rows, 2));
}

SortedRun<0> OddStates::take(LevelRows& level) {
  MergeSources<0> sources;
  for (const auto& sort : sorts_) {
    sort->settle();
    sort->add_to(sources);
  }
  if (sources.count() == 0) return SortedRun<0>(store_.budget(), shape_);
  const Claim claim(store_.budget(), BlockPacker<0>::bytes(shape_));
  BlockPacker<0> packer(shape_);
  RunWriter<0> writer(store_, packer);
  merge_all(sources, shape_, store_.buffers(), sorts_[0]->sorter(),
            [&](const Word* rows, std::size_t count) {
              lookout_.look_up();
              writer.add(rows, count);
              level.odd_rows({rows, count, shape_.words});
            });
  level.end_part(0);
  for (const auto& sort : sorts_) sort->clear();
  SortedRun<0> all = writer.finish();
  all.be_whole();
  return all;
}

}  // namespace spillway
