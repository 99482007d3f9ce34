#!/usr/bin/env python3
"""How near state files come to the device, checksums on.

  bench/io.py [--build build/native] [--directory /tmp] [--gigabytes 4] [--runs 3]

fio (io_uring, O_DIRECT, 1 MiB, depth 16) writes and reads a file of the same size in each round, side by side with state files of rows of 8, 16,
40 and 500 bytes; medians. `one`: row by row; `many`: append(States) and next_rows(). Needs fio.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

from noise import said_below

ROWS = [8, 16, 40, 500]


def fio(directory, what, gigabytes):
    command = ['fio', f'--name={what}', f'--filename={directory}/fio', f'--size={int(gigabytes * 1e9) >> 20}M', f'--rw={what}', '--bs=1M',
               '--ioengine=io_uring', '--iodepth=16', '--direct=1', '--output-format=json']
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(out[out.index('{'):])['jobs'][0][what]['bw_bytes'] / 1e9


def spillway(program, directory, row, gigabytes, mode):
    out = subprocess.run([program, directory, str(row), str(gigabytes), mode], check=True, capture_output=True, text=True).stdout.split()
    keys = ['append', 'append_cpu', 'scan', 'scan_cpu', 'disk_bytes', 'rows', 'making_cpu']
    return dict(zip(keys, map(float, out)))


def median(results, key):
    return statistics.median(r[key] for r in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build/native'))
    parser.add_argument('--directory', default='/tmp')
    parser.add_argument('--gigabytes', type=float, default=4)
    parser.add_argument('--runs', type=int, default=3)
    arguments = parser.parse_args()
    device = {'write': [], 'read': []}
    kinds = [(row, mode) for row in ROWS for mode in ('one', 'many')]
    results = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory(dir=arguments.directory) as folder:
        for _ in range(arguments.runs):
            for row, mode in kinds:
                if mode == 'many':  # the device is measured again and again, because it changes
                    for what, rates in device.items():
                        rates.append(fio(folder, what, arguments.gigabytes))
                    pathlib.Path(folder, 'fio').unlink()
                results[row, mode].append(spillway(arguments.build / 'bench_io', folder, row, arguments.gigabytes, mode))
    write, read = (statistics.median(device[what]) for what in ('write', 'read'))
    print(f'fio: write {write:.2f} GB/s ({min(device["write"]):.2f} to {max(device["write"]):.2f}), '
          f'read {read:.2f} GB/s ({min(device["read"]):.2f} to {max(device["read"]):.2f})\n')
    head = ['row', 'files', 'append GB/s', 'of device', 'CPU ns/row', 'scan GB/s', 'of device', 'CPU ns/row', 'B/row on disk']
    print('| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head))
    for (row, mode), runs in results.items():
        rows = runs[0]['rows']
        bytes_ = rows * ((row + 7) // 8 * 8)
        append, scan = bytes_ / median(runs, 'append') / 1e9, bytes_ / median(runs, 'scan') / 1e9
        making = median(runs, 'making_cpu')
        cells = [str(row), mode, f'{append:.2f}', f'{append / write:.0%}', f'{(median(runs, "append_cpu") - making) / rows * 1e9:.1f}',
                 f'{scan:.2f}', f'{scan / read:.0%}', f'{median(runs, "scan_cpu") / rows * 1e9:.1f}', f'{runs[0]["disk_bytes"] / rows:.1f}']
        print('| ' + ' | '.join(cells) + ' |')


with said_below():
    main()
