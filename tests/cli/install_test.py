"""What `cmake --install` puts where: the program, the header for models, the man page.

  install_test.py CMAKE BUILD
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def main():
    cmake, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder)
        run(cmake, "--install", build, "--prefix", prefix)
        files = {str(file.relative_to(prefix)) for file in prefix.rglob("*") if file.is_file()}
        expected = {"bin/spillway", "include/spillway/model_abi.h"}
        if shutil.which("scdoc") or os.environ.get("CI") == "true":
            expected.add("share/man/man1/spillway.1")
        if files != expected:
            sys.exit(f"installed: {sorted(files)}, not {sorted(expected)}")
        model = prefix / "tiles.so"
        run("cc", "-O1", "-shared", "-fPIC", f"-I{prefix}/include", ROOT / "examples/tiles/tiles.c", "-o", model)
        if "181,440 states" not in run(prefix / "bin/spillway", "check", model):
            sys.exit("the installed program does not count the boards of the eight-puzzle")
    print(f"installed: {', '.join(sorted(files))}")


main()
