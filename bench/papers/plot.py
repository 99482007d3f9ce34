"""Small plots as SVG, without a library."""

import html
import math

WIDTH, HEIGHT, MARGIN = 560, 360, 56
COLOURS = ('#1b6ca8', '#c8553d', '#3a7d44', '#7b5ea7')


class Plot:
    """Both axes logarithmic."""

    def __init__(self, title, x_label, y_label, xs, ys):
        self.x_range = (min(xs) * 0.9, max(xs) * 1.1)
        self.y_range = (min(ys) * 0.9, max(ys) * 1.1)
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
        self.text(WIDTH / 2, 20, title, size=14)
        self.text(WIDTH / 2, HEIGHT - 12, x_label)
        self.parts.append(f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{html.escape(y_label)}</text>')
        self.parts.append(f'<rect x="{MARGIN}" y="{MARGIN / 2 + 8}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 1.5 * MARGIN - 8}" '
                          'fill="none" stroke="#888"/>')
        for value in sorted(set(xs)) if len(set(xs)) < 8 else self.ticks(self.x_range):
            self.text(self.x(value), HEIGHT - MARGIN + 16, f'{value:g}')
        for value in self.ticks(self.y_range):
            self.text(MARGIN - 6, self.y(value) + 4, f'{value:g}', anchor='end')

    @staticmethod
    def ticks(limits):
        steps = [m * 10 ** e for e in range(-3, 6) for m in (1, 2, 5)]
        return [s for s in steps if limits[0] <= s <= limits[1]]

    @staticmethod
    def share(value, limits):
        return (math.log(value) - math.log(limits[0])) / (math.log(limits[1]) - math.log(limits[0]))

    def x(self, value):
        return MARGIN + self.share(value, self.x_range) * (WIDTH - 2 * MARGIN)

    def y(self, value):
        return HEIGHT - MARGIN - self.share(value, self.y_range) * (HEIGHT - 1.5 * MARGIN - 8)

    def text(self, x, y, text, anchor='middle', size=12, colour='black'):
        self.parts.append(f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{html.escape(text)}</text>')

    def write(self, path):
        path.write_text('\n'.join([*self.parts, '</svg>']) + '\n')


def lines(path, title, x_label, series):
    series = {name: [(x, y) for x, y in points if y is not None] for name, points in series.items()}
    every = [point for points in series.values() for point in points]
    if not every:
        return
    plot = Plot(title, x_label, 'times the RAM search', [x for x, _ in every], [y for _, y in every])
    for (name, points), colour in zip(series.items(), COLOURS):
        way = ' '.join(f'{plot.x(x):.1f},{plot.y(y):.1f}' for x, y in points)
        plot.parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = points[-1]
        plot.text(plot.x(x) + 4, plot.y(y) - 6, name, 'start', colour=colour)
    plot.write(path)


def scatter(path, title, x_label, y_label, points):
    if not points:
        return
    values = [v for x, y, _ in points for v in (x, y)]
    plot = Plot(title, x_label, y_label, values, values)
    low, high = min(values), max(values)
    plot.parts.append(f'<line x1="{plot.x(low):.1f}" y1="{plot.y(low):.1f}" x2="{plot.x(high):.1f}" y2="{plot.y(high):.1f}" stroke="#bbb"/>')
    for x, y, name in points:
        plot.parts.append(f'<circle cx="{plot.x(x):.1f}" cy="{plot.y(y):.1f}" r="3.5" fill="{COLOURS[0]}"><title>{html.escape(name)}</title></circle>')
    plot.write(path)
