"""Reads the 21 cache-coherence protocols that vCXLGen made, and counts the states of those that end.

Their states have 2,979 to 16,752 bits. Each must be read without an error. The counts are those of a whole search without
symmetry and without `liveness`: what Rumur counted for the first, Spillway at an earlier commit for the others, whose
comparisons of functions were assigned to variables first.
"""

import pathlib
import subprocess
import sys

import spillway_runner

# A model -> states and transitions, the smallest first.
COUNTS = {
    "MESIxCXLxRCC__2Cl_2CC__MESI_EQ_L2sB": (98_955, 250_519),
    "MESIxCXLxRCC__2Cl_2CC__MESI_CompModel": (114_452, 435_587),
    "MESIxMESIxMESI__2Cl_3CC__MESI_EQ_L2sB": (302_765, 890_589),
    "MESIxCXLxRCC__2Cl_2CC__RCC_CompModel": (428_680, 2_073_004),
    "MESIxCXLxRCC__2Cl_3CC__MESI_EQ_L2sB": (499_965, 1_331_697),
    "MESIxCXLxRCC__2Cl_2CC__MESI_EQ_BsL2": (606_012, 1_767_809),
    "MESIxMESIxMESI__2Cl_3CC__MESI_CompModel": (2_025_214, 9_331_841),
    "MESIxCXLxRCC__2Cl_3CC__MESI_CompModel": (4_167_225, 18_730_543),
    "MESIxCXLxRCC__2Cl_3CC__RCC_CompModel": (21_447_032, 123_922_868),
}
MODELS = 21


def read_all(spillway, files, tally):
    for file in files:
        done = subprocess.run([spillway.path, "lint", file], capture_output=True, text=True, timeout=120, check=False)
        wrong = [line for line in done.stderr.splitlines() if " error: " in line]
        tally.count(file.name, wrong or ([f"exit {done.returncode}"] if done.returncode else []))


def count_states(spillway, folder, most, clock, tally):
    for name, expected in COUNTS.items():
        if expected[0] > most or clock.is_over():
            tally.skip()
            continue
        (file,) = folder.glob(f"{name}__*.m")
        outcome = spillway.check(file, "--symmetry=off", "--ignore=liveness", "--run-dir=none", timeout_seconds=clock.left())
        got = outcome.document and (outcome.document["states"], outcome.document["transitions"])
        tally.count(name, [] if got == expected else [f"{outcome}: {got} instead of {expected}"])


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_shared(options)
    spillway_runner.add_least(options)
    options.add_argument("--most", type=int, default=0, help="leave out searches with more states")
    options.add_argument("--seconds", type=float, default=float("inf"), help="time for all of it, smallest first")
    arguments = options.parse_args()
    folder = arguments.shared / "models/murphi/vcxlgen"
    if spillway_runner.absent(folder):
        return 0
    tally = spillway_runner.Tally()
    spillway = spillway_runner.Spillway(arguments.spillway)
    files = sorted(pathlib.Path(folder).glob("*.m"))
    if len(files) != MODELS:
        sys.exit(f"{folder} has {len(files)} models, not {MODELS}")
    read_all(spillway, files, tally)
    count_states(spillway, folder, arguments.most, spillway_runner.Clock(arguments.seconds), tally)
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
