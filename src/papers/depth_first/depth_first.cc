#include "papers/depth_first/depth_first.h"

namespace spillway {

void announce_any_run(const Lookout& lookout) {
  lookout.announce(
      "this search reports the first run that it comes upon: other algorithms report a shorter "
      "one, and always the same");
}

void DepthFirstSearch::report(const std::vector<StepNode>& stem,
                              const std::vector<StepNode>& loop) {
  const auto row = [this](StepNode node) {
    const State state = graph.row(node);
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{PropertyKind::acceptance, 0, stem.size() - 1, row(stem.back())};
  for (std::size_t i = 0; i + 1 < stem.size(); ++i) finding.stem.push_back(row(stem[i]));
  for (const StepNode node : loop) finding.loop.push_back(row(node));
  session.findings.add(std::move(finding));
  announce_any_run(lookout);
  lookout.finish({});
}

}  // namespace spillway
