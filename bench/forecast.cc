// What the forecast (report/progress/forecast.h) says while a search goes on.
//
// Reads lines "NAME SIZE..." with the sizes of all levels.  For every level that is known but the
// last, prints "NAME LEVELS KNOWN GROWTH LOW HIGH", and "-" for what is not said.
#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <string>

#include "report/progress/forecast.h"

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    spillway::LevelSizes sizes;
    for (std::uint64_t size = 0; words >> size;) {
      if (sizes.count() != 0) {
        const auto growth = spillway::growth(sizes);
        const auto said = spillway::forecast_states(sizes);
        fmt::print("{} {} {} {} {} {}\n", name, sizes.count(), sizes.states(),
                   growth ? fmt::format("{:.4f}", *growth) : "-",
                   said ? std::to_string(said->low) : "-", said ? std::to_string(said->high) : "-");
      }
      sizes.set(sizes.count(), size);
    }
  }
}
