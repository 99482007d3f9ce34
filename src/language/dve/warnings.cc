#include <fmt/format.h>

#include "language/dve/lowering.h"

namespace spillway::dve {

void Lowering::warn_about_states(const Process& process) {
  std::vector<bool> entered(process.states.size());
  entered[static_cast<std::size_t>(state(process, *process.node->init))] = true;
  for (const Move& move : process.moves)
    if (move.from != move.to) entered[static_cast<std::size_t>(move.to)] = true;
  for (const Name& name : process.node->states)
    if (!entered[static_cast<std::size_t>(state(process, name))])
      warn(name.position, fmt::format("no transition of {} leads to its state {}",
                                      quoted(process.node->name.text), quoted(name.text)));
  if (!process.property && !process.node->accepting.empty())
    warn(process.node->accepting[0].position,
         fmt::format("{} is not the property process, so its accepting states have no effect",
                     quoted(process.node->name.text)));
  if (synchronous_ && !process.committed.empty())
    warn(process.node->committed[0].position,
         "committed states have no effect when all processes move at once");
}

void Lowering::warn_about_names() {
  for (const Symbol& symbol : symbols_) {
    const std::string name = quoted(symbol.name.text);
    if (symbol.constant) {
      if (!symbol.read)
        warn(symbol.name.position, fmt::format("the constant {} is never used", name));
    } else if (!symbol.read) {
      const char* how = symbol.written ? "written but never read" : "never used";
      warn(symbol.name.position, fmt::format("the variable {} is {}", name, how));
    } else if (!symbol.written) {
      warn(symbol.name.position,
           fmt::format("the variable {} never changes: it could be 'const'", name));
    }
  }
  for (const Channel& channel : channels_) {
    const Name& name = channel.node->name;
    if (channel.sent && channel.received) continue;
    const char* how = channel.sent       ? "nobody receives"
                      : channel.received ? "nobody sends"
                                         : "nobody sends or receives";
    warn(name.position, fmt::format("{} on the channel {}", how, quoted(name.text)));
  }
}

}  // namespace spillway::dve
