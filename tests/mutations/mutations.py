"""Deliberate bugs.  Each must be caught by the test it names: a test that lets one pass guards nothing.

A mutation is (name, file, text, replacement, target, test): `text` occurs exactly once in the file, `target` is what
has to be built, `test` the command that must fail then, from the build directory.
"""

RAM = ('oracle_ram', 'RC_PARAMS=max_success=3000 ./oracle_ram --gtest_filter=*RandomGraphs')
DEEP = ('oracle_ram', 'RC_PARAMS=max_success=300 ./oracle_ram --gtest_filter=*DeepGraphs')
KNOWN = ('oracle_known', './oracle_known --gtest_filter=*tiles:*words*')
GATE = ('gate', './gate --gtest_filter=*Gate*')
SITUATION = ('gate', './gate --gtest_filter=Situation*')

MUTATIONS = [
    # The search.
    ('the last successor of a batch is lost', 'src/safety/ram.cc',
     'i < count - waiting; ++i', 'i + 1 < count - waiting; ++i', *RAM),
    ('states of the other threads are forgotten at the end of a level', 'src/safety/ram.cc',
     'all.insert(all.end(), added.begin(), added.end());', 'if (all.empty()) all = added;', *RAM),
    ('a state is put on the list whether it is new or not', 'src/safety/ram_set.h',
     'if (done == Insert::fresh) writer.append_short<W>(row);', 'writer.append_short<W>(row);', *RAM),
    ('a table without room counts a state as known', 'src/storage/short_row_table.h',
     'return Insert::full;', 'return Insert::known;', 'unit_storage', './unit_storage --gtest_filter=*ExactlyFull*'),
    ('an empty slot counts as the state 0', 'src/storage/short_row_table.h',
     'slots_with(*bucket, row[0]) & ((1U << filled) - 1)', 'slots_with(*bucket, row[0])', *RAM),
    ('a full bucket counts a state as known', 'src/storage/short_row_table.h',
     'if (filled == kSlots) break;  // on to the next bucket', 'if (filled == kSlots) return Insert::known;', *RAM),
    ('rows of two words are compared by the first', 'src/storage/short_row_table.h',
     'if (bucket->rest[0][slot] == row[1]) return Insert::known;', 'if (slot < kSlots) return Insert::known;', *RAM),
    ('long rows are compared by their hash', 'src/storage/long_row_table.cc',
     'if (equal(pool_.row(entry & kNumberMask), {row, words_})) return', 'return', 'unit_storage', './unit_storage --gtest_filter=*Long*'),
    ('growth drops the rows that cross the border between threads', 'src/storage/short_row_table.cc',
     'part.strays.push_back(row);', '', *RAM),
    ('growth forgets the levels of states', 'src/storage/short_row_table.cc',
     'with_tag(there, place, tag_of(tags, slot))', 'with_tag(there, place, 1)', *RAM),
    ('the last state of a list is not expanded', 'src/safety/frontier.cc',
     'segment.count - offset_);', 'segment.count - offset_ - (segment.count > 3 ? 1 : 0));', *RAM),
    ('joined levels keep their old tags', 'src/storage/level_tags.cc',
     'renaming[interval.tag] = joined.back().tag;', 'renaming[interval.tag] = interval.tag;', *DEEP),
    ('levels that share a tag are told apart one too early', 'src/safety/kept_levels.cc',
     'if (members.take(state)) append(levels[0], state);', 'append(levels[0], state);', *DEEP),
    # Run.
    ('of several violations the first one found is kept', 'src/run/run.cc',
     'else if (less(finding.row, place->row))', 'else if (false)', *RAM),
    ('invariants are not checked', 'src/run/run.cc',
     'if (run_.has_conditions_)', 'if (false)', *RAM),
    ('a state that repeats itself is no deadlock', 'src/run/finding.h',
     'if (!equal(s, state)) return false;', 'return s.empty();', *RAM),
    ('states that could not be stored are forgotten', 'src/run/run.cc',
     'if (discarding()) finish(static_cast<Stop>(refused_.load()));', '', 'unit_run', './unit_run --gtest_filter=*Run*'),
    ('the depth bound is the end of the search', 'src/run/run.cc',
     'finish(Stop::depth);', 'finish({});', *SITUATION),
    ('termination is not noticed', 'src/run/signals.cc',
     'case SIGTERM: return Stop::terminated;', 'case SIGTERM: return std::nullopt;', *SITUATION),
    ('the way back takes any predecessor', 'src/run/trace.cc',
     'if (worker.best && !less(state, *worker.best)) return;', 'if (worker.best) return;', *RAM),
    ('traces are not replayed', 'src/run/trace.cc',
     'if (trace.finding.row.empty()) return', 'if (true) return true;\n  if (trace.finding.row.empty()) return', 'unit_run', './unit_run --gtest_filter=*onfirm*'),
    ('the digest is an exclusive or', 'src/base/digest.cc',
     'low_ += h.low64;', 'low_ ^= h.low64;', *RAM),
    # The gate.
    ('states that were stored but not expanded are ignored', 'src/run/verdict.cc',
     'return e.stored <= e.expanded;', 'return true || e.stored <= e.expanded;', *GATE),
    ('states that were expanded twice are ignored', 'src/run/verdict.cc',
     'return e.stored >= e.expanded;', 'return true || e.stored >= e.expanded;', *GATE),
    ('a search that did not end is complete', 'src/run/verdict.cc',
     'return e.search_returned;', 'return true || e.search_returned;', *GATE),
    ('limits are ignored once the search has returned', 'src/run/verdict.cc',
     'if (e.stop) {', 'if (e.stop && !e.search_returned) {', *GATE),
    ('a counterexample need not be confirmed', 'src/run/verdict.cc',
     'if (!e.traces_confirmed)', 'if (false)', *GATE),
    ('no initial state is fine', 'src/run/verdict.cc',
     'if (e.initial_states == 0)', 'if (false)', *GATE),
    ('an error is forgotten when nothing was found', 'src/run/verdict.cc',
     'if (e.fault) return', 'if (e.fault && !e.findings.empty()) return', *GATE),
    ('a bound of 1.5 is a probability', 'src/run/verdict.cc',
     '*e.omission_bound < 1)', '*e.omission_bound < 2)', *GATE),
]
