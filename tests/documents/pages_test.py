"""What the comparison of documents with output forgives, and what it does not."""

import pathlib
import tempfile
import unittest

import pages


class Comparison(unittest.TestCase):
    def test_times_sizes_and_rates_may_differ(self):
        shown = ["m.m: 2 threads, up to 16 GiB of memory", "  4 states   depth 2   0.00 s   memory 4.5 MiB"]
        printed = ["m.m: 8 threads, up to 3.5 GiB of memory", "  4 states   depth 2   1.25 s   3,456 states/s   memory 900 KiB"]
        self.assertTrue(pages.agrees(shown, printed))
        self.assertTrue(pages.agrees(["  20 walks   0.02 s"], ["  20 walks   0.10 s   195,051 steps/s"]))

    def test_counts_may_not(self):
        self.assertFalse(pages.agrees(["  4 states   depth 2"], ["  5 states   depth 2"]))
        self.assertFalse(pages.agrees(["  4 states   depth 2"], ["  4 states   depth 3"]))

    def test_lines_may_not_be_missing_or_added(self):
        self.assertFalse(pages.agrees(["a", "b"], ["a"]))
        self.assertFalse(pages.agrees(["a"], ["a", "b"]))
        self.assertFalse(pages.agrees([], ["a"]))

    def test_dots_stand_for_lines_and_characters(self):
        self.assertTrue(pages.agrees(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(pages.agrees(["a", "...", "d"], ["a", "d"]))
        self.assertFalse(pages.agrees(["a", "...", "d"], ["a", "b", "c"]))
        self.assertTrue(pages.agrees(["from ... to b"], ["from a to b"]))
        self.assertFalse(pages.agrees(["from ... to b"], ["from a to c"]))

    def test_progress_of_a_slow_machine_is_forgiven(self):
        self.assertTrue(pages.agrees(["done"], ["[00:00:23] level 29  52%", "done"]))
        self.assertTrue(pages.agrees(["done"], ["  last seen 0 s ago: [00:00:23] level 29  52%", "done"]))


class Update(unittest.TestCase):
    def test_what_was_left_out_is_left_out_again(self):
        self.assertEqual(pages.updated(["a", "  ...", "d"], ["1", "2", "3", "4"]), ["1", "  ...", "4"])
        self.assertEqual(pages.updated(["a", "b"], ["1", "2", "3"]), ["1", "2", "3"])

    def test_a_page_is_written_as_it_was(self):
        text = "# T\n\n```console\n$ a \\\n  b\nout\n$ c\n```\n\n```m x.m\nvar\n```\nend\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(text, encoding="utf-8")
            page = pages.Page(path)
            session, file = page.blocks()
            self.assertEqual([command.text for command in session.commands()], ["a \\\n  b", "c"])
            self.assertEqual(session.commands()[0].output, ["out"])
            self.assertEqual((file.file_name, file.lines), ("x.m", ["var"]))
            session.set_commands(session.commands())
            self.assertEqual(str(page), text)


unittest.main()
