#include "random_multicast.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace spillway {
namespace {

constexpr const char* kBefore =
    "type Node: scalarset(3); Num: 0..3; Sub: record a: Node; b: Num; end;\n"
    "  Msg: record dst: Node; src: Node; val: Num; sub: Sub; list: array [0..1] of Num; end;\n"
    "var want: array [Node] of boolean; got: array [Node] of Num; from: array [Node] of Node;\n"
    "  fwd: array [Node] of array [0..1] of Msg; cnt: array [Node] of 0..2;\n"
    "  box: multiset [12] of Msg; last: Node; num: Num; sent: boolean; kept: Msg;\n"
    "procedure Send(m: Msg); begin\n"
    "  alias dst: m.dst do fwd[dst][cnt[dst]] := m; cnt[dst] := cnt[dst] + 1; end; end;\n"
    "procedure Store(var m: Msg); begin multisetadd(m, box); end;\n";
constexpr const char* kAfter =
    "ruleset a: Node; b: Node do startstate begin sent := false; num := 0;\n"
    "  for n: Node do want[n] := n = a | n = b; got[n] := n = a ? 1 : (n = b ? 2 : 0);\n"
    "    from[n] := n = a ? b : n; cnt[n] := 0; end; end; end;\n"
    "ruleset n: Node do\n"
    "  rule \"changes\" sent ==> want[n] := !want[n]; cnt[n] := 0; sent := false; end;\n"
    "  cover \"two\" cnt[n] = 2;\n"
    "end;\n"
    "invariant \"got\" forall n: Node do got[n] < 3 end;\n";

struct Cell {
  const char* name;
  bool is_node;
};
const std::vector<Cell> kCells = {{"dst", true},     {"src", true},    {"val", false},
                                  {"sub.a", true},   {"sub.b", false}, {"list[0]", false},
                                  {"list[1]", false}};
constexpr std::size_t kDst = 0, kList = 5;

// What a line is, for those who change one.
enum class Is {
  plain,
  sets,    // a statement that sets something in a turn
  begins,  // the first line of a turn
  passed,  // a line after the loop, or before it in an outer loop
  calls,   // passes the same variable twice
};

struct Line {
  std::string text;
  Is is = Is::plain;
  std::string record{}, counter{};
};

class Multicast {
 public:
  explicit Multicast(std::uint64_t seed) : random_(seed) {
    const bool in_procedure = some(2), twice = some(3), alias = some(4);
    std::vector<Line> body;
    if (in_procedure) {
      records_ = twice ? Names{"r", "s"} : Names{"r"};
      scope(body);
      functions_.push_back({twice ? "procedure Cast(var r: Msg; var s: Msg; p: Node);"
                                  : "procedure Cast(var r: Msg; p: Node);"});
      functions_.push_back({"var other: Msg; x: Num; y: boolean; begin"});
      append(functions_, body);
      functions_.push_back({"end;"});
    }
    line("ruleset p: Node do rule \"send\" !sent & num < 3 ==>");
    line("var msg, other: Msg; ms: array [0..1] of Msg; x: Num; y: boolean; begin");
    const std::string variable = some(4) ? "ms[0]" : "msg";
    if (alias) line("alias one: " + variable + " do");
    const std::string name = alias && some(2) ? "one" : variable;
    if (in_procedure) {
      for (std::size_t i = 0; i < kCells.size(); ++i)
        if (some(2)) line(set(name, i, "p"));
      const std::string second = alias ? "one" : variable;
      if (twice)
        lines_.push_back({"Cast(" + name + ", " + second + ", p);", Is::calls, name, "p"});
      else
        line("Cast(" + name + ", p);");
      lines_.push_back({"", Is::passed, name, "p"});
    } else {
      records_ = alias ? Names{name, "one"} : Names{name};
      scope(lines_);
    }
    if (alias) line("end;");
    line("sent := true; end; end;");
  }

  void change(std::uint64_t attempt) {
    random_.discard(attempt * 10);
    std::vector<std::size_t> chosen;
    std::vector<Line>& all = part(chosen);
    const std::size_t at = chosen[pick(chosen.size())];
    const Line old = all[at];
    const auto insert = [&](const std::string& text) {
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(at) + 1, Line{text});
    };
    switch (old.is) {
      case Is::sets:
        switch (pick(4)) {
          case 0: all[at].text.clear(); break;
          case 1: all[at].text = "if want[" + old.counter + "] then " + old.text + " end;"; break;
          case 2:
            all[at].text =
                "if isundefined(" + old.record + "." + some_cell() + ") then " + old.text + " end;";
            break;
          default: insert("kept := " + old.record + ";");
        }
        break;
      case Is::begins:
        if (some(3))
          insert("if isundefined(" + old.record + ".val) then " + old.record + ".val := 0; elsif " +
                 old.record + ".val < 2 then " + old.record + ".val := " + old.record +
                 ".val + 1; got[" + old.counter + "] := " + old.record + ".val; end;");
        else
          insert(read(old.record, some_written(), old.counter));
        break;
      case Is::passed: insert(keep(old.record, some_written())); break;
      case Is::calls: all[at].text = "Cast(" + old.record + ", other, p);"; break;
      case Is::plain: break;
    }
  }

  std::string text() const {
    std::string all = kBefore;
    for (const auto* some : {&functions_, &lines_})
      for (const Line& one : *some) all += one.text + "\n";
    return all + kAfter;
  }

 private:
  using Names = std::vector<std::string>;
  using Cells = std::set<std::size_t>;

  // Where in a turn it is.
  struct Turn {
    std::string counter;
    Cells writes;  // by any turn
    Cells set;     // by this turn so far
    bool sends;    // so that the receiver is always the counter
    unsigned depth = 0;

    bool may_read(std::size_t cell) const { return !writes.contains(cell) || set.contains(cell); }
    bool may_read_all() const {
      return std::includes(set.begin(), set.end(), writes.begin(), writes.end());
    }
  };

  std::size_t pick(std::size_t count) { return random_() % count; }
  bool some(std::size_t one_in) { return pick(one_in) == 0; }
  const std::string& record() { return records_[pick(records_.size())]; }
  std::size_t some_written() {
    return writes_.empty() ? 0
                           : *std::next(writes_.begin(), static_cast<long>(pick(writes_.size())));
  }
  std::string some_cell() { return kCells[pick(kCells.size())].name; }
  void line(const std::string& text) { lines_.push_back({text}); }
  static void append(std::vector<Line>& to, const std::vector<Line>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  std::vector<Line>& part(std::vector<std::size_t>& chosen) {
    const auto find = [&](std::vector<Line>& all) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].is != Is::plain) chosen.push_back(i);
    };
    const bool first = some(2);
    std::vector<Line>& all = first ? functions_ : lines_;
    find(all);
    if (!chosen.empty()) return all;
    std::vector<Line>& others = first ? lines_ : functions_;
    find(others);
    return others;
  }

  // Values that are the same whatever the names are.
  std::string value(std::size_t cell, const std::string& n) {
    if (cell == kDst) return n;
    if (kCells[cell].is_node) return some(3) && !plain_ ? "from[" + n + "]" : n;
    if (plain_) return std::to_string(pick(4));
    const Names all = {"0",
                       "1",
                       "2",
                       "3",
                       "got[" + n + "]",
                       "cnt[" + n + "]",
                       "(want[" + n + "] ? 1 : 2)",
                       "(from[" + n + "] = " + n + " ? 0 : 3)"};
    return all[pick(all.size())];
  }

  std::string set(const std::string& r, std::size_t cell, const std::string& n) {
    return r + "." + kCells[cell].name + " := " + value(cell, n) + ";";
  }

  // Reads the cell for the counter.
  std::string read(const std::string& r, std::size_t cell, const std::string& n) {
    const std::string what = r + "." + kCells[cell].name;
    const std::string to = (kCells[cell].is_node ? "from[" : "got[") + n + "] := " + what + ";";
    switch (pick(12)) {
      case 0:
      case 1:
      case 2: return "if isundefined(" + what + ") then got[" + n + "] := 2; end;";
      case 3: return to;
      default: return "if !isundefined(" + what + ") then " + to + " end;";
    }
  }

  // Reads the cell for all.
  std::string keep(const std::string& r, std::size_t cell) {
    const std::string what = r + "." + kCells[cell].name;
    const std::string to = (kCells[cell].is_node ? "last := " : "num := ") + what + ";";
    return some(12) ? to : "if !isundefined(" + what + ") then " + to + " end;";
  }

  // A function that is given what sets the cells of m.
  std::string function(const std::string& head, const std::string& body) {
    const std::string name = "F" + std::to_string(functions_.size());
    const std::size_t at = head.find("F(");
    functions_.push_back({head.substr(0, at) + name + head.substr(at + 1) + "\n" + body + " end;"});
    return name;
  }

  std::string set_in_function(const std::string& r, std::size_t cell, const std::string& n) {
    const std::string one = set("m", cell, "n"), other = set("m", cell, "n");
    const Names bodies = {
        one, "if want[n] then " + one + " return; end; " + other,
        "alias h: m." + std::string(kCells[cell].name) + " do h := " + value(cell, "n") + "; end;",
        "var k: Num; begin k := 1; if k = 1 then " + one + " end; if k = 2 then undefine m; end;"};
    const std::string& body = bodies[pick(bodies.size())];
    return function("procedure F(var m: Msg; n: Node);",
                    body.starts_with("var") ? body : "begin " + body) +
           "(" + r + ", " + n + ");";
  }

  std::string made(const std::string& n) {
    std::string body = "var m: Msg; begin ";
    if (some(2)) body += "undefine m; ";
    body += set("m", kDst, "n");
    if (some(3)) body += " if want[n] then m.val := 1; return m; end;";
    for (std::size_t i = 1; i < kCells.size(); ++i)
      if (some(2)) body += " " + set("m", i, "n");
    return function("function F(n: Node): Msg;", body + " return m;") + "(" + n + ")";
  }

  // One line that sets the cell.
  std::string sets(const std::string& r, std::size_t cell, const Turn& turn) {
    const std::string &n = turn.counter, name = r + "." + kCells[cell].name;
    switch (pick(8)) {
      case 0:
        return "if want[" + n + "] then " + set(r, cell, n) + " else " + set(r, cell, n) + " end;";
      case 1:
      case 2: return set_in_function(r, cell, n);
      case 3: return "alias h: " + name + " do h := " + value(cell, n) + "; end;";
      case 4:
        if (cell == kDst && turn.sends) break;
        return "undefine " + name + ";";
      case 5:
        return function("procedure F(var a: Msg; var b: Msg; n: Node);",
                        "begin " + set("b", cell, "n") + " if isundefined(a." + kCells[cell].name +
                            ") then " + set("a", cell, "n") + " end;") +
               "(" + r + ", " + record() + ", " + n + ");";
      default: break;
    }
    return set(r, cell, n);
  }

  void use(std::vector<Line>& out, Turn& turn) {
    const std::string& n = turn.counter;
    const std::string r = record();
    if (turn.may_read_all() && some(2)) {
      switch (pick(5)) {
        case 0: out.push_back({"multisetadd(" + r + ", box);"}); return;
        case 1: out.push_back({"Store(" + r + ");"}); return;
        case 2:
          if (turn.writes.contains(2)) {
            const std::string name = function("function F(var m: Msg; n: Node): boolean;",
                                              "begin Store(m); m.val := 1; return want[n];");
            out.push_back({"if " + name + "(" + r + ", " + n + ") then got[" + n + "] := 2; end;"});
            return;
          }
          [[fallthrough]];
        default:
          if (!turn.sends) break;
          out.push_back(
              {some(2) ? "Send(" + r + ");" : "while cnt[" + n + "] < 1 do Send(" + r + "); end;"});
          return;
      }
    }
    const std::size_t cell = pick(kCells.size());
    if (turn.writes.contains(kList) && turn.writes.contains(kList + 1) && some(4)) {
      // Sets one of the two, nobody knows which.
      const std::string name = function("procedure F(var m: Msg; k: 0..1);",
                                        "begin m.list[k] := " + std::to_string(pick(4)) + ";");
      const std::string one = "(want[" + n + "] ? 1 : 0)";
      out.push_back({some(2) ? name + "(" + r + ", " + one + ");"
                             : r + ".list[" + one + "] := " + value(kList, n) + ";",
                     Is::sets, r, n});
      return;
    }
    if (turn.may_read(cell)) out.push_back({read(r, cell, n)});
  }

  void sets_or_uses(std::vector<Line>& out, Turn& turn) {
    std::vector<std::size_t> left;
    std::set_difference(turn.writes.begin(), turn.writes.end(), turn.set.begin(), turn.set.end(),
                        std::back_inserter(left));
    if (left.empty() || some(4)) return use(out, turn);
    const std::size_t cell = left[pick(left.size())];
    const std::string r = record();
    if (turn.writes.size() == kCells.size() && some(3)) {
      out.push_back({r + " := " + made(turn.counter) + ";", Is::sets, r, turn.counter});
      turn.set = turn.writes;
      return;
    }
    out.push_back({sets(r, cell, turn), Is::sets, r, turn.counter});
    turn.set.insert(cell);
  }

  // A block that may be skipped, or repeated.
  void block(std::vector<Line>& out, Turn turn) {
    const std::string& n = turn.counter;
    const Names heads = {"if want[" + n + "] then", "if got[" + n + "] = 1 then",
                         "for j := 0 to 1 do", "for j := 1 to got[" + n + "] do"};
    out.push_back({heads[pick(heads.size())]});
    ++turn.depth;
    pieces(out, turn, 1 + pick(3));
    out.push_back({"end;"});
  }

  void pieces(std::vector<Line>& out, Turn& turn, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (turn.depth < 2 && some(5))
        block(out, turn);
      else if (turn.depth == 0 && some(8))
        inner_loop(out, turn.counter);
      else
        sets_or_uses(out, turn);
  }

  // A loop over identities in a turn, with a variable of its own.
  void inner_loop(std::vector<Line>& out, const std::string& n) {
    Names others = {"other"};
    std::swap(records_, others);
    plain_ = true;  // the outer loop writes the rest
    Turn turn{"m", {}, {}, false};
    for (std::size_t i = 0; i < kCells.size(); ++i) turn.writes.insert(i);
    out.push_back({"for m: Node do", Is::begins, "other", "m"});
    while (!turn.may_read_all()) {
      const std::size_t cell = turn.set.size();
      out.push_back({sets("other", cell, turn), Is::sets, "other", "m"});
      turn.set.insert(cell);
    }
    plain_ = false;
    out.push_back({"if m = " + n + " & want[n] then multisetadd(other, box); end;"});
    out.push_back({"end;"});
    std::swap(records_, others);
  }

  void loop(std::vector<Line>& out, const Cells& writes) {
    Turn turn{"n", writes, {}, writes.contains(kDst) && some(2)};
    out.push_back({"for n: Node do", Is::begins, record(), "n"});
    pieces(out, turn, 2 + pick(6));
    while (!turn.may_read_all()) sets_or_uses(out, turn);
    pieces(out, turn, 1 + pick(3));
    out.push_back({"end;"});
    out.push_back({"", Is::passed, record(), "n"});
  }

  // Sets or reads what the loop leaves alone, or has been set again.
  void around(std::vector<Line>& out, const Cells& writes) {
    Turn turn{"p", writes, {}, false};
    for (std::size_t i = pick(4); i > 0; --i) {
      const std::size_t cell = pick(kCells.size());
      if (turn.may_read(cell)) {
        out.push_back({keep(record(), cell)});
      } else {
        out.push_back({set(record(), cell, "p")});
        turn.set.insert(cell);
      }
    }
  }

  void scope(std::vector<Line>& out) {
    Cells writes;
    const bool all = some(3);
    for (std::size_t i = 0; i < kCells.size(); ++i)
      if (all || some(2)) writes.insert(i);
    writes_ = writes;
    for (std::size_t i = 0; i < kCells.size(); ++i)
      if (some(2)) out.push_back({set(record(), i, "p")});
    const std::size_t outer = pick(6);
    if (outer == 0) out.push_back({"for k := 0 to 1 do", Is::passed, record(), "p"});
    if (outer == 1)
      out.push_back({"x := 0; while x < 2 do x := x + 1;", Is::passed, record(), "p"});
    if (outer < 2) around(out, writes);
    loop(out, writes);
    if (some(5)) loop(out, writes);
    if (some(4)) out.push_back({"if want[p] then return; end;"});
    around(out, writes);
    if (outer < 2) out.push_back({"end;"});
    if (some(4)) {
      out.push_back({record() + " := " + made("p") + ";"});
      out.push_back({keep(record(), pick(kCells.size()))});
    }
  }

  std::mt19937_64 random_;
  Names records_;  // of one variable
  Cells writes_;   // by its turns
  bool plain_ = false;
  std::vector<Line> functions_, lines_;
};

}  // namespace

std::string random_multicast(std::uint64_t seed) { return Multicast(seed).text(); }

std::string broken_multicast(std::uint64_t seed, std::uint64_t attempt) {
  Multicast all(seed);
  all.change(attempt);
  return all.text();
}

}  // namespace spillway
