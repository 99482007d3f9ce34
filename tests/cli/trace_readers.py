"""Readers of traces in the forms of other people, written from the descriptions of these forms alone.

VCD is that of IEEE 1364-2005, clause 18, with the strings that GTKWave has added. ITF is that of Apalache's ADR 15. They refuse
what these do not allow.
"""

import json
import re


class Malformed(AssertionError):
    pass


def demand(condition, sentence):
    if not condition:
        raise Malformed(sentence)


def _declarations(words):
    """(identifier code, kind, size, name) of each variable, up to the end of the definitions."""
    variables, depth = [], 0
    for word in words:
        demand(word in ("$version", "$date", "$comment", "$timescale", "$scope", "$var", "$upscope", "$enddefinitions"), f"{word}: no declaration")
        inside = []
        for inner in words:
            if inner == "$end":
                break
            inside.append(inner)
        else:
            raise Malformed(f"{word} has no $end")
        if word == "$scope":
            demand(len(inside) == 2 and inside[0] in ("module", "task", "function", "begin", "fork"), f"{word} {inside}")
            depth += 1
        elif word == "$upscope":
            depth -= 1
            demand(inside == [] and depth >= 0, "$upscope without a scope")
        elif word == "$timescale":
            demand(re.fullmatch("(1|10|100) ?(s|ms|us|ns|ps|fs)", " ".join(inside)), f"no time: {inside}")
        elif word == "$var":
            demand(depth > 0 and len(inside) == 4, f"no variable of a scope: {inside}")
            kind, size, code, name = inside
            demand(kind in ("wire", "reg", "integer", "string") and size.isdigit() and re.fullmatch("[!-~]+", code), f"no variable: {inside}")
            demand(re.fullmatch("[A-Za-z_][A-Za-z0-9_$]*", name), f"no identifier of Verilog: {name}")
            demand(code not in (known[0] for known in variables), f"two variables have the code {code}")
            demand(name not in (known[3] for known in variables), f"two variables are called {name}")
            variables.append((code, kind, int(size), name))
        elif word == "$enddefinitions":
            demand(inside == [] and depth == 0, "a scope is open where the definitions end")
            return variables
    raise Malformed("the definitions do not end")


def _value(kind, size, text):
    """What a change says; None: unknown."""
    if kind == "string":
        demand(text[0] == "s", f"no string: {text}")
        return text[1:]
    bits = text if len(text) == 1 else text[1:]
    demand(re.fullmatch("[01]+|[xXzZ]", bits) and len(bits) <= size and (len(text) == 1 or text[0] in "bB"), f"no value of {size} bits: {text}")
    if bits in "xXzZ":
        return None
    number = int(bits, 2)
    return number - (1 << 64) if kind == "integer" and number >> 63 else number


def vcd_states(text):
    """Each time, and the values of all variables then: [(time, {name: value})]."""
    words = iter(text.split())
    variables = {code: (kind, size, name) for code, kind, size, name in _declarations(words)}
    states, values = [], {}
    for word in words:
        if word[0] == "#":
            demand(word[1:].isdigit() and (not states or int(word[1:]) > states[-1][0]), f"time does not go on: {word}")
            if states:
                states[-1] = (states[-1][0], dict(values))
            states.append((int(word[1:]), {}))
            continue
        demand(states, f"{word} before the first time")
        value, code = (word[0], word[1:]) if word[0] in "01xXzZ" else (word, next(words, None))
        demand(code in variables, f"a change of {code}, which is no variable")
        kind, size, name = variables[code]
        values[name] = _value(kind, size, value)
    if states:
        states[-1] = (states[-1][0], dict(values))
    return states


def _itf_value(value):
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        demand(abs(value) <= 1 << 53, f"{value} is not exact in every reader: it must be a #bigint")
        return value
    if isinstance(value, list):
        return [_itf_value(one) for one in value]
    demand(isinstance(value, dict), f"no expression: {value}")
    special = [key for key in value if key.startswith("#")]
    if not special:
        return {key: _itf_value(one) for key, one in value.items()}
    demand(list(value) == special and len(special) == 1 and special[0] in ("#bigint", "#tup", "#set", "#map", "#unserializable"), f"no expression: {value}")
    if special == ["#bigint"]:
        demand(re.fullmatch("-?[0-9]+", value["#bigint"]), f"no integer: {value}")
        return int(value["#bigint"])
    return value


def itf_states(text):
    """The states, each {name: value}, and the index that the last one goes back to, or None."""
    trace = json.loads(text, parse_float=lambda number: demand(False, f"{number} is no integer"))
    demand(isinstance(trace, dict) and set(trace) <= {"#meta", "params", "vars", "states", "loop"}, f"members: {list(trace)}")
    names = trace["vars"]
    demand(len(set(names)) == len(names) and all(isinstance(name, str) and not name.startswith("#") for name in names), f"vars: {names}")
    states = []
    for index, state in enumerate(trace["states"]):
        demand(set(state) - {"#meta"} == set(names), f"state {index} has {sorted(state)}, not {sorted(names)}")
        demand(state.get("#meta", {}).get("index", index) == index, f"state {index} says that it is another one")
        states.append({name: _itf_value(state[name]) for name in names})
    loop = trace.get("loop")
    demand(loop is None or (isinstance(loop, int) and 0 <= loop < len(states)), f"a loop to {loop}")
    return states, loop
