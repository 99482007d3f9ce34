#include "program/c/c_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::program {

std::string c_number(Value value) {
  if (value == INT64_MIN) return "INT64_MIN";
  return value < 0 ? fmt::format("(-INT64_C({}))", -value) : fmt::format("INT64_C({})", value);
}

std::size_t CTables::domain(const Domain& domain) {
  const auto place = std::find(domains_.begin(), domains_.end(), domain.intervals());
  if (place != domains_.end()) return static_cast<std::size_t>(place - domains_.begin());
  domains_.push_back(domain.intervals());
  return domains_.size() - 1;
}

std::size_t CTables::cleared(const Type& type) {
  Program single;
  single.variables.push_back({"", &type, {}});
  const Layout layout(single);
  std::vector<Word> image(layout.words() + 1);
  const auto fill = [&](const auto& self, const Type& part, std::uint64_t bit) -> void {
    switch (part.kind) {
      case Kind::scalar: write_bits(image.data(), bit, width_of(part), stored_code(part, 1)); break;
      case Kind::record:
        for (std::size_t i = 0; i < part.fields.size(); ++i)
          self(self, *part.fields[i].type, bit + field_bit(part, i));
        break;
      case Kind::array:
        for (std::uint64_t i = 0; i < part.index->domain.size(); ++i)
          self(self, *part.element, bit + element_bit(part, i));
        break;
      case Kind::bag: break;
    }
  };
  fill(fill, type, 0);
  const auto place = std::find(images_.begin(), images_.end(), image);
  if (place != images_.end()) return static_cast<std::size_t>(place - images_.begin());
  images_.push_back(std::move(image));
  return images_.size() - 1;
}

std::string CTables::text() const {
  std::string out;
  for (std::size_t k = 0; k < domains_.size(); ++k) {
    std::string value = fmt::format("IN V value{}(W c) {{\n", k);
    std::string code = fmt::format("IN W code{}(V v) {{\n", k);
    std::uint64_t before = 0;
    for (const Interval& i : domains_[k]) {
      const std::uint64_t size = static_cast<std::uint64_t>(i.high - i.low) + 1;
      value += fmt::format("  if (c <= {}u) return (V)(c + (W){});\n", before + size,
                           c_number(i.low - 1 - static_cast<Value>(before)));
      code += fmt::format("  if (v >= {} && v <= {}) return (W)v - (W){} + {}u;\n", c_number(i.low),
                          c_number(i.high), c_number(i.low), before + 1);
      before += size;
    }
    out += value + "  return U;\n}\n" + code + "  return 0;\n}\n";
  }
  for (std::size_t k = 0; k < images_.size(); ++k) {
    out += fmt::format("static const W cleared{}[] = {{", k);
    for (const Word word : images_[k]) out += fmt::format("{:#x}u,", word);
    out += "};\n";
  }
  return out;
}

}  // namespace spillway::program
