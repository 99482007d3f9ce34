#include "program/c/c_colours.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/c/c_symmetry_text.h"
#include "program/symmetry/colour_hash.h"

namespace spillway::program {
namespace {

// Whether its fields are looked up in tables.
bool is_narrow(const CellShape& shape) {
  constexpr unsigned kMostBits = 6;
  return shape.width <= kMostBits;
}

}  // namespace

CColours::CColours(const SymmetricCells& cells) : cells_(cells) {
  for (std::size_t c = 0; c < cells_.cells().size(); ++c) add(c);
}

std::size_t CColours::group_of(std::uint32_t identity) const {
  std::size_t group = cells_.groups().size() - 1;
  while (cells_.groups()[group].first > identity) --group;
  return group;
}

void CColours::add(std::size_t c) {
  const SymmetricCells::Cell& cell = cells_.cells()[c];
  const auto parts = cells_.parts(cell);
  if (cell.coordinates == cell.end && parts.empty()) return;
  CellShape wanted{cell.width, cell.total, {parts.begin(), parts.end()}, {}, {}, {}, {}};
  for (const auto& at : cells_.coordinates(cell)) wanted.groups.push_back(group_of(at.identity));
  const auto same = [&](const CellShape& shape) {
    return shape.width == wanted.width && shape.total == wanted.total &&
           shape.parts == wanted.parts && shape.groups == wanted.groups;
  };
  auto shape = std::find_if(shapes_.begin(), shapes_.end(), same);
  if (shape == shapes_.end()) shape = shapes_.insert(shape, std::move(wanted));
  auto hash = std::find(shape->hashes.begin(), shape->hashes.end(), cell.hash);
  if (hash == shape->hashes.end()) hash = shape->hashes.insert(hash, cell.hash);
  shape->cells.push_back(c);
  shape->classes.push_back(static_cast<std::size_t>(hash - shape->hashes.begin()));
}

std::uint32_t CColours::held(const CellShape& shape, std::uint64_t code) const {
  for (const SymmetricCells::CodeRange& part : shape.parts)
    if (part.first_code <= code && code <= part.last_code)
      return part.first_identity + static_cast<std::uint32_t>(code - part.first_code);
  return cells_.identities();
}

std::vector<std::uint64_t> CColours::bits_of_cells(const CellShape& shape) const {
  std::vector<std::uint64_t> bits;
  for (const std::size_t c : shape.cells) bits.push_back(cells_.cells()[c].bit);
  return bits;
}

void CColours::cell_tables(const CellShape& shape, const std::string& name,
                           std::string& out) const {
  std::vector<std::uint64_t> at;
  for (const std::size_t c : shape.cells)
    for (const auto& coordinate : cells_.coordinates(cells_.cells()[c]))
      at.push_back(coordinate.identity);
  out += c_table("uint32_t", name + "_bit", bits_of_cells(shape));
  out += c_table("uint16_t", name + "_class", {shape.classes.begin(), shape.classes.end()});
  if (!at.empty()) out += c_table("uint16_t", name + "_at", at);
  out += c_table("W", name + "_hash", shape.hashes);
}

// The identity that a code is, or I.
void CColours::held_function(const CellShape& shape, const std::string& name,
                             std::string& out) const {
  out += fmt::format("IN unsigned {}_held(W code) {{\n", name);
  for (const SymmetricCells::CodeRange& part : shape.parts)
    out += fmt::format("  if (code - {0}u <= {1}u) return (unsigned)(code - {0}u) + {2};\n",
                       part.first_code, part.last_code - part.first_code, part.first_identity);
  out += "  (void)code; return I;\n}\n";
}

// For each cell k of the shape.  What the first round does with one is short.
std::string CColours::first_loop(const CellShape& shape, const std::string& body) const {
  return c_unroll(shape.cells.size(), cells_) + next_loop(shape, body);
}
std::string CColours::next_loop(const CellShape& shape, const std::string& body) const {
  if (is_large(cells_) && !shape.total)
    return c_for_nonzero(bits_of_cells(shape), shape.width, "t", body, cells_);
  return fmt::format("  for (B k = 0; k < {}; ++k) {{\n{}  }}\n", shape.cells.size(), body);
}

void CColours::indexed(const CellShape& shape, const std::string& name, Texts& out) const {
  std::vector<std::uint64_t> told;
  std::vector<std::uint64_t> ways;
  for (const std::uint64_t hash : shape.hashes)
    for (std::uint64_t stored = 0; stored >> shape.width == 0; ++stored) {
      const std::uint64_t code = code_of(shape, stored);
      const std::uint64_t way = mix(hash, mix(kField, code));
      ways.push_back(way);
      const std::uint64_t here = mix(mix(way, first_colour(shape.groups[0])), role_of(0));
      told.push_back(code == 0 ? 0 : mix(here, kSame));
    }
  out.tables += c_table("W", name + "_told", told) + c_table("W", name + "_way", ways);
  const std::string place =
      fmt::format("(({0}_class[k] << {1}) + field(t, {0}_bit[k], {1}))", name, shape.width);
  out.first =
      first_loop(shape, fmt::format("    sums[{0}_at[k]] += {0}_told[{1}];\n", name, place));
  out.next = next_loop(
      shape,
      fmt::format("    const W f = field(t, {0}_bit[k], {1}); const unsigned i = {0}_at[k];\n"
                  "    const W told = mix(mix(mix({0}_way[({0}_class[k] << {1}) + f], "
                  "c[i]), {2}), {3});\n    sums[i] += {4};\n",
                  name, shape.width, role_of(0), +kSame,
                  shape.total ? "told" : "f != 0 ? told : 0"));
}

void CColours::holding(const CellShape& shape, const std::string& name, Texts& out) const {
  std::vector<std::uint64_t> told;
  std::vector<std::uint64_t> who;
  for (std::uint64_t stored = 0; stored >> shape.width == 0; ++stored)
    who.push_back(held(shape, code_of(shape, stored)));
  for (const std::uint64_t hash : shape.hashes)
    for (const std::uint64_t identity : who) {
      if (identity == cells_.identities()) {
        told.push_back(0);
        continue;
      }
      const auto group = group_of(static_cast<std::uint32_t>(identity));
      told.push_back(mix(mix(mix(hash, mix(kHeld, first_colour(group))), kHeld), kHeld));
    }
  out.tables += c_table("W", name + "_told", told) + c_table("uint16_t", name + "_who", who);
  const std::string read =
      fmt::format("    const W f = field(t, {0}_bit[k], {1}); const unsigned j = {0}_who[f];\n",
                  name, shape.width);
  const std::string tell =
      read + fmt::format("    sums[j] += {0}_told[({0}_class[k] << {1}) + f]; NOTE(j);\n", name,
                         shape.width);
  out.first = shape.total ? first_loop(shape, tell)
                          : c_for_nonzero(bits_of_cells(shape), shape.width, "t", tell, cells_);
  out.next = next_loop(
      shape, read + fmt::format("    if (j != I) sums[j] += mix(mix(mix({0}_hash[{0}_class[k]]"
                                ", held[j]), {1}), {1});\n",
                                name, +kHeld));
}

void CColours::indexed_and_holding(const CellShape& shape, const std::string& name,
                                   Texts& out) const {
  std::vector<std::uint64_t> told;  // to the index, the same if it is held; to the held, likewise
  std::vector<std::uint64_t> who;
  std::vector<std::uint64_t> ways;
  for (std::uint64_t stored = 0; stored >> shape.width == 0; ++stored)
    who.push_back(held(shape, code_of(shape, stored)));
  for (const std::uint64_t hash : shape.hashes)
    for (std::uint64_t stored = 0; stored < who.size(); ++stored) {
      const std::uint64_t code = code_of(shape, stored);
      const bool holds = who[stored] != cells_.identities();
      const std::uint64_t value =
          holds ? mix(kHeld, first_colour(group_of(static_cast<std::uint32_t>(who[stored]))))
                : mix(kField, code);
      ways.push_back(mix(hash, value));
      const std::uint64_t way = mix(ways.back(), first_colour(shape.groups[0]));
      const std::uint64_t index = mix(mix(way, role_of(0)), kSame);
      told.push_back(code == 0 ? 0 : index);
      told.push_back(mix(index, kHeld));
      told.push_back(mix(mix(way, kHeld), kHeld));
      told.push_back(mix(mix(mix(way, kHeld), kSame), kHeld));
    }
  out.tables += c_table("W", name + "_told", told) + c_table("uint16_t", name + "_who", who) +
                c_table("W", name + "_way", ways);
  const std::string read = fmt::format(
      "    const W f = field(t, {0}_bit[k], {1});\n"
      "    const unsigned i = {0}_at[k], j = {0}_who[f], same = i == j;\n",
      name, shape.width);
  out.first = first_loop(
      shape, read + fmt::format("    const W *told = {0}_told + 4 * (({0}_class[k] << {1}) + f);\n"
                                "    sums[i] += told[same]; sums[j] += told[2 + same]; NOTE(j);\n",
                                name, shape.width));
  out.next = next_loop(
      shape,
      read +
          fmt::format("{1}    const W way = mix(j != I ? mix({0}_hash[{0}_class[k]], held[j]) : "
                      "{0}_way[({0}_class[k] << {2}) + f], c[i]);\n"
                      "    const W index = mix(mix(way, {3}), {4});\n"
                      "    sums[i] += same ? mix(index, {5}) : index;\n    if (j == I) continue;\n"
                      "    const W other = mix(way, {5});\n"
                      "    sums[j] += mix(same ? mix(other, {4}) : other, {5});\n",
                      name, shape.total ? "" : "    if (f == 0) continue;\n", shape.width,
                      role_of(0), +kSame, +kHeld));
}

// All others: by what Symmetries does, in every round.
void CColours::any(const CellShape& shape, const std::string& name, Texts& out) const {
  const std::size_t count = shape.groups.size();
  std::string all = fmt::format(
      "    const W code = field(t, {0}_bit[k], {1}) + {2};\n    if (code == 0) continue;\n"
      "    const unsigned j = {0}_held(code);\n"
      "    W way = mix({0}_hash[{0}_class[k]], j != I ? held[j] : mix({3}, code));\n",
      name, shape.width, shape.total ? 1 : 0, +kField);
  if (count != 0) all += fmt::format("    const uint16_t *at = {}_at + {} * k;\n", name, count);
  for (std::size_t k = 0; k < count; ++k) all += fmt::format("    way = mix(way, c[at[{}]]);\n", k);
  const auto tell = [&](const std::string& identity, std::uint64_t role) {
    all += fmt::format("    {{ W told = mix(way, {}); const unsigned i = {};\n", role, identity);
    for (std::size_t m = 0; m < count; ++m)
      all += fmt::format("      if (at[{}] == i) told = mix(told, {});\n", m, kSame + m);
    all +=
        fmt::format("      if (j == i) told = mix(told, {});\n      sums[i] += told; }}\n", +kHeld);
  };
  for (std::size_t k = 0; k < count; ++k) tell(fmt::format("at[{}]", k), role_of(k));
  all += "    if (j == I) continue;\n    NOTE(j);\n";
  tell("j", kHeld);
  out.first = out.next = next_loop(shape, all);
}

std::string CColours::text() const {
  std::string tables;
  std::string first;
  std::string next;
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const CellShape& shape = shapes_[s];
    const std::string name = fmt::format("y{}", s);
    Texts texts;
    cell_tables(shape, name, texts.tables);
    if (is_narrow(shape) && shape.parts.empty() && shape.groups.size() == 1) {
      indexed(shape, name, texts);
    } else if (is_narrow(shape) && shape.groups.empty()) {
      holding(shape, name, texts);
    } else if (is_narrow(shape) && shape.groups.size() == 1) {
      indexed_and_holding(shape, name, texts);
    } else {
      held_function(shape, name, texts.tables);
      any(shape, name, texts);
    }
    tables += texts.tables;
    first += texts.first;
    next += texts.next;
  }
  std::string colours;
  std::string held;
  for (std::size_t g = 0; g < cells_.groups().size(); ++g)
    for (std::uint32_t i = 0; i < cells_.groups()[g].size; ++i) {
      colours += fmt::format("{:#x}u,", first_colour(g));
      held += fmt::format("{:#x}u,", mix(kHeld, first_colour(g)));
    }
  return tables +
         fmt::format(
             "static const W first_colour[] = {{{}0}}, first_held[] = {{{}0}};\n"
             "#define NOTE(j) (noted |= (W)1 << ((j) & 63))\n"
             "static inline W first_round(const W *restrict t, W *restrict sums) {{\n"
             "  W noted = 0; const W *c = first_colour, *held = first_held;\n"
             "  (void)t; (void)c; (void)held;\n{}  return noted;\n}}\n"
             "#undef NOTE\n#define NOTE(j) ((void)0)\n"
             "static __attribute__((noinline, unused)) void next_round(const W *restrict t, const "
             "W *restrict c, const W *restrict held, W *restrict sums) {{\n"
             "  (void)t; (void)c; (void)held; (void)sums;\n{}}}\n",
             colours, held, first, next);
}

}  // namespace spillway::program
