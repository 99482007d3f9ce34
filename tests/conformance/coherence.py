"""Reads the 21 cache-coherence protocols that vCXLGen made, and counts the states of those that end.

Their states have 2,979 to 16,752 bits. Each must be read without an error, and all but the `_EQ_` ones keep their
symmetry. The counts are those of a whole search without `liveness`. Without symmetry, they are what Rumur counted for the
first, and Spillway at an earlier commit for the others, whose comparisons of functions were assigned to variables first.
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
# With --symmetry=exhaustive.
SYMMETRIC_COUNTS = {
    "MESIxCXLxRCC__2Cl_2CC__MESI_CompModel": (57_724, 220_015),
    "MESIxCXLxRCC__2Cl_2CC__RCC_CompModel": (216_636, 1_051_334),
    "MESIxMESIxMESI__2Cl_3CC__MESI_CompModel": (348_788, 1_619_207),
    "MESIxCXLxRCC__2Cl_3CC__MESI_CompModel": (710_894, 3_213_784),
}
MODELS = 21


def read_all(spillway, files, tally):
    for file in files:
        done = subprocess.run([spillway.path, "lint", file], capture_output=True, text=True, timeout=120, check=False)
        wrong = [line for line in done.stderr.splitlines() if " error: " in line]
        if "_EQ_" not in file.name:  # those have reasons of their own
            wrong += [line for line in done.stderr.splitlines() if "symmetry is off" in line]
        tally.count(file.name, wrong or ([f"exit {done.returncode}"] if done.returncode else []))


def count_states(spillway, folder, symmetry, counts, most, clock, tally):
    for name, expected in counts.items():
        if expected[0] > most or clock.is_over():
            tally.skip()
            continue
        (file,) = folder.glob(f"{name}__*.m")
        outcome = spillway.check(file, f"--symmetry={symmetry}", "--ignore=liveness", "--run-dir=none", timeout_seconds=clock.left())
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
    clock = spillway_runner.Clock(arguments.seconds)
    count_states(spillway, folder, "off", COUNTS, arguments.most, clock, tally)
    count_states(spillway, folder, "exhaustive", SYMMETRIC_COUNTS, arguments.most, clock, tally)
    return tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
