"""How an mpirun starts ranks, on fewer processors than ranks and by root too."""
import re
import subprocess


def command(mpirun, ranks, *program):
    version = subprocess.run([mpirun, '--version'], capture_output=True, text=True).stdout
    options = ['--oversubscribe', '--allow-run-as-root'] if re.search('Open MPI|OpenRTE', version) else []
    return [mpirun, *options, '-n', str(ranks), *map(str, program)]
