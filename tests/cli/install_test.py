"""What `cmake --install` puts where, and what is in the packages.

  install_test.py CMAKE BUILD
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEW = {  # apart from the pages of the manual, the examples and the modes of editors
    "bin/spillway",
    "include/spillway/model_abi.h",
    "share/bash-completion/completions/spillway",
    "share/zsh/site-functions/_spillway",
    "share/fish/vendor_completions.d/spillway.fish",
    "share/doc/spillway/README.md",
    "share/doc/spillway/CHANGES.md",
    "share/doc/spillway/LICENSE",
    "share/doc/spillway/LICENSES-of-libraries",
}
MPI = {"lib/spillway/libspillway_mpi.so", "share/doc/spillway-mpi/copyright"}  # where there is an MPI
EDITORS = {"vim": "share/vim/vimfiles", "emacs": "share/emacs/site-lisp", "vscode": "share/spillway/editors/vscode"}
DEBIAN = {  # where the .deb has them instead
    "share/zsh/site-functions/_spillway": "share/zsh/vendor-completions/_spillway",
    "share/man/man1/spillway.1": "share/man/man1/spillway.1.gz",
    "share/doc/spillway/LICENSE": "share/doc/spillway/copyright",
}


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **more).stdout


def expected_files():
    files = set(FEW)
    if shutil.which("scdoc") or os.environ.get("CI") == "true":
        files.add("share/man/man1/spillway.1")
    if not list(pathlib.Path("/usr/share/doc").glob("libfmt-dev/copyright")):
        files.discard("share/doc/spillway/LICENSES-of-libraries")
    for folder, wanted in (("docs/manual", r"\.(md|json|png|svg)$"), ("examples", r"^(?!.*CMakeLists\.txt)")):
        files.update(f"share/doc/spillway/{name}" for name in listed(folder) if re.search(wanted, name))
    for editor, place in EDITORS.items():
        files.update(f"{place}/{name.removeprefix(f'editors/{editor}/')}" for name in listed(f"editors/{editor}"))
    return files


def listed(folder):
    return run("git", "-C", ROOT, "ls-files", folder).split()


def files_below(folder):
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def same(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: missing {sorted(expected - found)}, not expected {sorted(found - expected)}")


def files_for_mpi(build):
    if not (pathlib.Path(build) / "libspillway_mpi.so").exists():
        if os.environ.get("CI") == "true":
            sys.exit("there is no libspillway_mpi.so")
        return set()
    return MPI


def check_installed(cmake, build, prefix):
    run(cmake, "--install", build, "--prefix", prefix)
    same(files_below(prefix), expected_files() | files_for_mpi(build), "cmake --install")
    model = prefix / "tiles.so"
    run("cc", "-O1", "-shared", "-fPIC", f"-I{prefix}/include", ROOT / "examples/tiles/tiles.c", "-o", model)
    if "181,440 states" not in run(prefix / "bin/spillway", "check", model):
        sys.exit("the installed program does not count the boards of the eight-puzzle")


def check_needs_libc_only(program):
    """On Debian 12, where all libraries are there in a form that can be linked into the program."""
    if 'VERSION_ID="12"' not in pathlib.Path("/etc/os-release").read_text():
        return
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", program)))
    if needed - {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}:
        sys.exit(f"the program needs more than libc: {sorted(needed)}")


def check_links(documents):
    """Links between installed pages lead somewhere, except to what is about changing Spillway."""
    for page in documents.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]*)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if target and "://" not in target and not re.search(r"(DESIGN|CONTRIBUTING)\.md$|design/|tests/models|model_abi\.h", target):
                if not (page.parent / target).exists():
                    sys.exit(f"{page.relative_to(documents)}: the link to {target} leads nowhere where it is installed")


def check_packages(cmake, build, folder):
    if not shutil.which("dpkg-shlibdeps"):
        print("no dpkg-dev: the packages are not tried")
        return
    cpack = pathlib.Path(cmake).parent / "cpack"
    run(cpack, "--config", f"{build}/CPackConfig.cmake", "-B", folder, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none")
    [tarball] = folder.glob("*.tar.gz")
    with tarfile.open(tarball) as archive:
        names = {name.partition("/")[2] for name in archive.getnames() if archive.getmember(name).isfile()}
    same(names, expected_files() | files_for_mpi(build), tarball.name)
    check_deb(folder, "spillway", {DEBIAN.get(file, file) for file in expected_files()},
              (r"Version: \d+\.\d+\.\d+", r"Depends: .*libc6", r"Recommends: .*gcc", r"Section: science"))
    if files_for_mpi(build):
        check_deb(folder, "spillway-mpi", MPI, (r"Depends: .*libopenmpi", r"Depends: .*spillway \(= \d", r"Recommends: .*openmpi-bin"))


def check_deb(folder, package, files, fields):
    [deb] = folder.glob(f"{package}_*.deb")
    run("dpkg-deb", "-x", deb, folder / package)
    same(files_below(folder / package / "usr"), files, deb.name)
    given = run("dpkg-deb", "-f", deb)
    for field in (rf"Package: {package}$", *fields):
        if not re.search(rf"(?m)^{field}", given):
            sys.exit(f"{deb.name}: no '{field}' in\n{given}")


def check_commit_in_archive(cmake, folder):
    """An archive that git made knows its commit."""
    head = run("git", "-C", ROOT, "rev-parse", "HEAD").strip()
    archive = folder / "source.tar"
    run("git", "-C", ROOT, "archive", "-o", archive, "HEAD", "cmake")
    with tarfile.open(archive) as opened:
        opened.extractall(folder / "source")
    header = folder / "commit.h"
    run(cmake, "-D", f"SOURCE={folder}/source", "-D", f"FILE={header}", "-P", folder / "source/cmake/commit.cmake")
    if f'"{head[:12]}"' not in header.read_text():
        sys.exit(f"the commit in an archive of {head} is: {header.read_text()}")


def main():
    cmake, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_installed(cmake, build, folder / "prefix")
        check_needs_libc_only(folder / "prefix/bin/spillway")
        check_links(folder / "prefix/share/doc/spillway")
        check_packages(cmake, build, folder / "packages")
        check_commit_in_archive(cmake, folder)
    print(f"installed: {len(expected_files())} files")


main()
