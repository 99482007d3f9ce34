"""What becomes of a test that needs something which is not here: skipped on the machine of a person, a failure in CI.

There, everything that tests need is to be installed and allowed; a test that is skipped every time would look as if it passed.
tests/skips.cc is the same for programs.
"""
import os
import sys


def in_ci():
    return os.environ.get('CI') == 'true'


def skip(reason):
    """Ends the process with the exit code that ctest takes for a skipped test."""
    print(f'in CI nothing may be missing: {reason}' if in_ci() else f'skipped: {reason}', flush=True)
    sys.exit(1 if in_ci() else 77)
