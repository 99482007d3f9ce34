// Loops that send a message to some of the identities, each turn in the same local variable: small
// models that are symmetric, and nine that look like them and are not.
#pragma once

#include <string>
#include <vector>

namespace spillway {

struct MulticastModel {
  std::string name, text;
  bool symmetric;
};

inline std::string multicast_model(const std::string& rest) {
  return "type Node: scalarset(3); Msg: record dst: Node; val: 0..3; end;\n"
         "var want: array [Node] of boolean; got: array [Node] of 0..3; last: Node;\n"
         "  fwd: array [Node] of array [0..1] of Msg; cnt: array [Node] of 0..2;\n"
         "  box: multiset [4] of Msg; q: array [0..3] of Node; sent: 0..4; kept: Msg;\n"
         "procedure Send(m: Msg);\n"
         "begin alias dst: m.dst do fwd[dst][cnt[dst]] := m; cnt[dst] := cnt[dst] + 1; end; "
         "end;\n" +
         rest +
         "\nstartstate begin for n: Node do want[n] := false; cnt[n] := 0; got[n] := 0; end; sent "
         ":= "
         "0; end;\n"
         "ruleset n: Node do rule \"wants\" true ==> want[n] := true; end; end;\n";
}

// The loop in a rule, with what stands before and after it.
inline std::string multicast_rule(const std::string& before, const std::string& turn,
                                  const std::string& after) {
  return "rule \"send\" sent = 0 ==> var msg: Msg; begin\n" + before + "\nfor n: Node do\n" + turn +
         "\nend;\n" + after + "\nsent := 1; end;";
}

inline std::vector<MulticastModel> multicast_models() {
  const std::string sends = "if want[n] then msg.dst := n; Send(msg); end;";
  const auto loop = [](const std::string& turn, const std::string& after = "") {
    return multicast_model(multicast_rule("msg.val := 0;", turn, after));
  };
  const std::string by_reference =
      "procedure Multicast(var msg: Msg); begin\nfor n: Node do\n" + sends + "\nend; end;\n";
  return {
      {"the variable is not read after the loop", loop(sends), true},
      {"messages go into a multiset",
       loop("if want[n] then msg.dst := n; multisetadd(msg, box); end;"), true},
      {"the last identity wins", loop(sends, "last := msg.dst;"), false},
      {"a turn sends to the receiver of the one before",
       loop("if want[n] then msg.dst := n; end;\n"
            "if !isundefined(msg.dst) then multisetadd(msg, box); end;"),
       false},
      {"one field is fresh, the other is left over",
       loop("msg.dst := n; if !want[n] then msg.val := 1; end; got[n] := msg.val;"), false},
      {"numbers follow the order",
       multicast_model(
           "procedure Post(var msg: Msg); begin Send(msg); msg.val := msg.val + 1; end;\n" +
           multicast_rule("msg.val := 0;", "msg.dst := n; Post(msg);", "")),
       false},
      {"the left-over is in the state",
       multicast_model("rule \"send\" sent = 0 ==> begin kept.val := 0;\nfor n: Node do\n"
                       "if want[n] then kept.dst := n; Send(kept); end;\nend; sent := 1; end;"),
       false},
      {"one list for all", loop("msg.dst := n; q[sent] := msg.dst; sent := sent + 1;"), false},
      {"only the first turn sends",
       loop("if isundefined(msg.dst) then msg.dst := n; Send(msg); end;"), false},
      {"the caller reads the variable",
       multicast_model(by_reference +
                       "rule \"send\" sent = 0 ==> var msg: Msg; begin msg.val := 0;\n"
                       "Multicast(msg); last := msg.dst; sent := 1; end;"),
       false},
      {"an outer loop reads the variable",
       multicast_model(by_reference +
                       "rule \"send\" sent = 0 ==> var msg: Msg; begin msg.val := 0;\n"
                       "for k := 0 to 1 do if !isundefined(msg.dst) then last := msg.dst; end;\n"
                       "Multicast(msg); end; sent := 1; end;"),
       false},
  };
}

}  // namespace spillway
