#include "language/graph/graph_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

#include "base/error.h"
#include "base/text/diagnostic.h"
#include "base/text/lines.h"
#include "base/text/printable.h"
#include "base/text/read_file.h"
#include "base/text/suggest.h"
#include "model/proposition_names.h"

namespace spillway {

// Reads the text line by line: each line is a list of tokens, and the first one or two say what it
// means.
class GraphReader {
 public:
  GraphReader(GraphModel& graph, std::string_view text)
      : graph_(graph), text_(without_byte_order_mark(text)) {}

  void read() {
    for (std::size_t at = 0; at < text_.size(); at = next_line(text_, at)) {
      ++line_number_;
      line_ = text_.substr(at, end_of_line(text_, at) - at);
      split();
      if (!tokens_.empty()) statement();
    }
    if (graph_.initial_.empty())
      refuse_line(1, text_.substr(0, end_of_line(text_, 0)), 0,
                  "the graph has no initial state: add a line 'initial NAME'");
  }

 private:
  struct Token {
    std::string text;
    std::size_t column;
    enum { name, arrow, colon } kind;
  };

  [[noreturn]] void refuse(std::size_t column, const std::string& why) const {
    refuse_line(line_number_, line_, column, why);
  }

  [[noreturn]] void refuse_line(std::size_t number, std::string_view line, std::size_t column,
                                const std::string& why) const {
    const SourceRange::LineColumn at{static_cast<std::uint32_t>(number),
                                     static_cast<std::uint32_t>(column + 1)};
    const SourceRange where{graph_.name(), at, at, at, {}, std::string(line)};
    throw DiagnosedError({{Severity::error, where, why}}, false);
  }

  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
  }

  void split() {
    tokens_.clear();
    for (std::size_t i = 0; i < line_.size();) {
      const char c = line_[i];
      if (c == '#') return;
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++i;
      } else if (line_.substr(i, 2) == "->") {
        tokens_.push_back({"->", i, Token::arrow});
        i += 2;
      } else if (c == ':') {
        tokens_.push_back({":", i, Token::colon});
        ++i;
      } else if (c == '"') {
        quoted(i);
      } else if (is_name(c)) {
        bare(i);
      } else {
        refuse(i, fmt::format("unexpected character '{}'", c));
      }
    }
  }

  void bare(std::size_t& i) {
    const std::size_t start = i;
    while (i < line_.size() && is_name(line_[i]) && line_.substr(i, 2) != "->") ++i;
    tokens_.push_back({std::string(line_.substr(start, i - start)), start, Token::name});
  }

  void quoted(std::size_t& i) {
    const std::size_t start = i++;
    std::string text;
    for (;; ++i) {
      if (i >= line_.size()) refuse(start, "the quoted name does not end on this line");
      if (line_[i] == '"') break;
      if (line_[i] == '\\' && i + 1 < line_.size()) ++i;
      text += line_[i];
    }
    ++i;
    tokens_.push_back({std::move(text), start, Token::name});
  }

  void statement() {
    const Token& first = tokens_[0];
    if (first.kind != Token::name) refuse(first.column, "a statement must begin with a name");
    if (tokens_.size() > 1 && tokens_[1].kind == Token::arrow) return edges();
    if (first.text == "state") return each_state(1, [](GraphModel::Node&) {});
    if (first.text == "initial") return initial();
    if (first.text == "accepting")
      return each_state(1, [](GraphModel::Node& node) { node.accepting = true; });
    if (first.text == "bad") return bad();
    if (first.text == "assert") return assertion();
    if (first.text == "error") return error();
    if (first.text == "deadlock") return deadlock();
    if (first.text == "proposition") return proposition();
    constexpr std::array<std::string_view, 8> kStatements = {
        "state", "initial", "accepting", "bad", "assert", "error", "deadlock", "proposition"};
    const std::optional<std::string_view> near = nearest(first.text, kStatements);
    refuse(first.column, fmt::format("'{}' is not a statement; did you mean '{}'?", first.text,
                                     near ? std::string(*near) : first.text + " -> ..."));
  }

  const std::string& name_at(std::size_t i) const {
    if (tokens_[i].kind != Token::name) refuse(tokens_[i].column, "a name is expected here");
    return tokens_[i].text;
  }

  std::uint32_t state(const Token& token) {
    if (token.kind != Token::name) refuse(token.column, "the name of a state is expected here");
    const auto [place, fresh] =
        numbers_.try_emplace(token.text, static_cast<std::uint32_t>(graph_.nodes_.size()));
    if (fresh) graph_.nodes_.push_back({token.text, {}, {}, {}, false});
    return place->second;
  }

  void fail(GraphModel::Node& node, Failure failure) const {
    if (node.failure)
      refuse(tokens_[0].column, fmt::format("'{}' already fails in another way", node.name));
    node.failure = std::move(failure);
  }

  RuleIndex rule(const std::string& name) {
    const auto [place, fresh] =
        rules_.try_emplace(name, static_cast<RuleIndex>(graph_.rules_.size()));
    if (fresh) graph_.rules_.push_back(name);
    return place->second;
  }

  template <class Action>
  void each_state(std::size_t from, Action action) {
    if (from >= tokens_.size()) refuse(line_.size(), "the name of a state is missing");
    for (std::size_t i = from; i < tokens_.size(); ++i) action(graph_.nodes_[state(tokens_[i])]);
  }

  void initial() {
    each_state(1, [](GraphModel::Node&) {});
    for (std::size_t i = 1; i < tokens_.size(); ++i)
      graph_.initial_.push_back({state(tokens_[i]), kNoRule});
  }

  void edges() {
    const std::uint32_t source = state(tokens_[0]);
    std::size_t end = tokens_.size();
    std::string name = "step";
    if (end > 3 && tokens_[end - 2].kind == Token::colon) {
      name = name_at(end - 1);
      end -= 2;
    }
    if (end == 2) refuse(line_.size(), "the state at the end of the edge is missing");
    const RuleIndex made_by = rule(name);
    for (std::size_t i = 2; i < end; ++i) {
      // This comes before nodes_[source], because it may move the nodes.
      const std::uint32_t target = state(tokens_[i]);
      graph_.nodes_[source].edges.push_back({target, made_by});
    }
  }

  PropertyIndex property(const std::string& name, PropertyKind kind, std::size_t column) {
    for (PropertyIndex i = 0; i < graph_.composition_.properties.size(); ++i) {
      if (graph_.composition_.properties[i].name != name) continue;
      if (graph_.composition_.properties[i].kind != kind)
        refuse(column, fmt::format("'{}' is already a property of another kind", name));
      return i;
    }
    graph_.composition_.properties.push_back({name, kind, static_cast<std::uint32_t>(line_number_),
                                              static_cast<std::uint32_t>(column + 1)});
    return static_cast<PropertyIndex>(graph_.composition_.properties.size() - 1);
  }

  void bad() {
    const bool named = tokens_.size() > 2 && tokens_[2].kind == Token::colon;
    const std::string name = named ? name_at(1) : "good";
    const PropertyIndex invariant = property(name, PropertyKind::invariant, tokens_[0].column);
    each_state(named ? 3 : 1, [&](GraphModel::Node& node) {
      const auto place = std::lower_bound(node.bad.begin(), node.bad.end(), invariant);
      if (place == node.bad.end() || *place != invariant) node.bad.insert(place, invariant);
    });
  }

  void proposition() {
    if (tokens_.size() < 3 || tokens_[2].kind != Token::colon)
      refuse(tokens_[0].column, "write: proposition NAME : STATE ...");
    const std::string name = name_at(1);
    if (is_constant(name))
      refuse(tokens_[1].column,
             fmt::format("'{}' is a constant in formulas and cannot name a proposition", name));
    std::vector<std::string>& all = graph_.propositions_;
    const auto known = std::find(all.begin(), all.end(), name);
    const auto number = static_cast<std::size_t>(known - all.begin());
    if (known == all.end() && number == kMostPropositions)
      refuse(tokens_[1].column,
             fmt::format("a graph has at most {} propositions", kMostPropositions));
    if (known == all.end()) all.push_back(name);
    if (tokens_.size() == 3) return;  // it holds nowhere
    each_state(3, [&](GraphModel::Node& node) { node.letter |= Letter{1} << number; });
  }

  void assertion() {
    if (tokens_.size() < 4 || tokens_[2].kind != Token::colon)
      refuse(tokens_[0].column, "write: assert NAME : STATE ...");
    const std::string name = name_at(1);
    const PropertyIndex index = property(name, PropertyKind::assertion, tokens_[0].column);
    const RuleIndex by = rule("step");
    each_state(3, [&](GraphModel::Node& node) {
      fail(node, {by, index, fmt::format("assertion \"{}\" is violated", name)});
    });
  }

  void error() {
    if (tokens_.size() != 4 || tokens_[2].kind != Token::colon)
      refuse(tokens_[0].column, "write: error STATE : \"MESSAGE\"");
    const RuleIndex by = rule("step");
    fail(graph_.nodes_[state(tokens_[1])], {by, {}, name_at(3)});
  }

  void deadlock() {
    const std::string mode = tokens_.size() == 2 ? tokens_[1].text : "";
    if (mode == "off")
      graph_.composition_.deadlock = Deadlock::off;
    else if (mode == "stuck")
      graph_.composition_.deadlock = Deadlock::stuck;
    else if (mode == "stuttering")
      graph_.composition_.deadlock = Deadlock::stuttering;
    else
      refuse(tokens_[0].column, "write: deadlock off, deadlock stuck or deadlock stuttering");
  }

  GraphModel& graph_;
  std::string_view text_;
  std::string_view line_;
  std::size_t line_number_ = 0;
  std::vector<Token> tokens_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<std::string, RuleIndex> rules_;
};

GraphModel::GraphModel(std::string name, std::string_view text) : WholeModel(std::move(name)) {
  composition_.may_leave_out = false;
  GraphReader(*this, text).read();
}

std::unique_ptr<GraphModel> GraphModel::from_file(const std::string& path) {
  return std::make_unique<GraphModel>(path, read_file(path));
}

std::size_t GraphModel::row_bits() const {
  return std::max<std::size_t>(1, std::bit_width(nodes_.size() - 1));
}

std::string GraphModel::why_not_a_state(State row) const {
  if (row[0] < nodes_.size()) return "";
  return fmt::format("the graph has {} states, and this is number {}", nodes_.size(), row[0]);
}

void GraphModel::write(const std::vector<Edge>& edges, Successors& out) const {
  if (edges.size() > out.room()) out.make_room(edges.size());
  Word* row = out.rows();
  RuleIndex* rule = out.rules();
  for (const Edge& edge : edges) {
    *row++ = edge.target;
    if (rule != nullptr) *rule++ = edge.rule;
  }
}

void GraphModel::initial(Successors& out) const {
  write(initial_, out);
  out.add(initial_.size());
}

void GraphModel::successors(State state, Successors& out) const {
  const Node& n = node(state);
  write(n.edges, out);
  n.failure ? out.add(n.edges.size(), *n.failure) : out.add(n.edges.size());
}

std::size_t GraphModel::check(State state, PropertyIndex* violated, Observed* /*observed*/) const {
  const std::vector<PropertyIndex>& bad = node(state).bad;
  std::copy(bad.begin(), bad.end(), violated);
  return bad.size();
}

std::optional<std::string> GraphModel::property() const {
  const bool any =
      std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.accepting; });
  return any ? std::optional<std::string>("no accepting cycle") : std::nullopt;
}

void GraphModel::choose(const std::vector<PropositionText>& propositions) {
  chosen_ = chosen_by_name(propositions, {propositions_.begin(), propositions_.end()});
}

Letter GraphModel::evaluate(State state, std::optional<Failure>& /*failure*/) const {
  const Letter all = node(state).letter;
  Letter letter = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) letter |= (all >> chosen_[i] & 1) << i;
  return letter;
}

std::vector<Variable> GraphModel::variables(State state) const {
  return {{"state", node(state).name}};
}

}  // namespace spillway
