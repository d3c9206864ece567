#!/usr/bin/env python3
"""Makes the fixtures of this folder: see SOURCE."""
import pathlib
import sys
import subprocess
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).parent
DOCTYPE = ('<?xml version="1.0" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
           '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n')
COMMENT = ("<!-- Flame graph stack visualization. See https://github.com/brendangregg/FlameGraph "
           "for latest version. -->\n<!-- NOTES: %s -->\n")
XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
STACKS = [
    ("main", 1), ("main;parse (fast);read", 2000), ("main;parse (fast)", 500),
    ("main;parse (fast);f (12 samples, 3.00%)", 30), ("main;all;<b> & 'q' \"r\"", 1467),
    ("worker", 2), ("worker; ", 1000),
]


class Box:
    def __init__(self, name, depth, start):
        self.name, self.depth, self.start = name, depth, start
        self.count, self.change, self.children = 0, 0, {}


def layout(stacks, changes=None, merge=True):
    """All boxes, the root first; those of a chart in the order of the stacks."""
    root = Box("all", 0, 0)
    boxes = [root]
    for stack, count in sorted(stacks) if merge else stacks:
        box, at = root, root.count
        path = [root]
        for name in stack.split(";"):
            child = box.children.get(name)
            if child is None or (not merge and child.start + child.count != at):
                child = box.children[name] = Box(name, box.depth + 1, at)
                boxes.append(child)
            box = child
            path.append(box)
        for part in path:
            part.count += count
        box.change += (changes or {}).get(stack, 0)
    return boxes


def info(box, total, unit="samples", commas=True, factor=1, changed=False, mark=""):
    count = f"{box.count * factor:,.0f}" if commas else f"{box.count * factor:.0f}"
    if not box.depth:
        return f"all{mark} ({count} {unit}, 100%)"
    change = ""
    if changed:
        share = 100 * box.change / total
        change = f"; {'+' if share > 0 else ''}{share:.2f}%"
    return f"{box.name} ({count} {unit}, {100 * box.count / total:.2f}%{change})"


def place(box, total, height, icicle=False, width=1180):
    x1 = round(10 + box.start * width / total, 1)
    x2 = round(10 + (box.start + box.count) * width / total, 1)
    y = 36 + 16 * box.depth if icicle else height - 34 - 16 * (box.depth + 1) + 1
    return x1, x2 - x1, y


def height_of(boxes):
    return 36 + 34 + 16 * (1 + max(box.depth for box in boxes))


def perl(boxes, title="Flame Graph", style="today", notes="", icicle=False, total=None,
         subtitle="", **more):
    """As flamegraph.pl: today, of 2014 (groups without a container), of 2011 (rectangles)."""
    total = total or boxes[0].count
    boxes[0].count = total
    height = height_of(boxes)
    out = [DOCTYPE, f'<svg version="1.1" width="1200" height="{height}" onload="init(evt)" '
           f'viewBox="0 0 1200 {height}" {XMLNS}>\n']
    out.append(COMMENT % notes if style != "2011" else "")
    out.append('<rect x="0.0" y="0" width="1200.0" height="%.1f" fill="url(#background)"  />\n'
               % height)
    middle = 'id="title"' if style == "today" else 'text-anchor="middle"'
    out.append(f'<text {middle} x="600.00" y="24" >{title}</text>\n')
    if subtitle:
        out.append(f'<text id="subtitle" x="600.00" y="48" >{subtitle}</text>\n')
    out.append('<g id="frames">\n' if style == "today" else "")
    # Nothing is known of the order of boxes: that of a hash.
    for box in sorted(boxes, key=lambda box: box.name[::-1]):
        x, width, y = place(box, total, height, icicle)
        text = escape(info(box, total, commas=style != "2011",
                           mark=" samples" if style == "2011" else "", **more), {'"': "&quot;"})
        mouse = "s('%s')" % text.replace("'", "\\'")
        rect = f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="15.0" fill="rgb(230,90,30)"'
        label = f'<text text-anchor="" x="{x + 3:.2f}" y="{y + 10.5}" >{escape(box.name[:9])}..</text>\n'
        if style == "2011":
            out.append(f'{rect} onmouseover="{mouse}" onmouseout="c()" />\n{label}')
        elif style == "2014":
            out.append(f'<g class="func_g" onmouseover="{mouse}" onmouseout="c()">\n'
                       f'<title>{text}</title><a xlink:href="#">\n{rect} rx="2" ry="2" />\n{label}</a></g>\n')
        else:
            out.append(f'<g >\n<title>{text}</title>{rect} rx="2" ry="2" />\n{label}</g>\n')
    out.append("</g>\n" if style == "today" else "")
    return "".join(out) + "</svg>\n"


def inferno(boxes, title="Flame Graph", style="today", icicle=False, own=None, **more):
    """As inferno: today (with fg:x), 0.9 (percent), 0.6 (whole pixels)."""
    total, height = boxes[0].count, height_of(boxes)
    fg = ' xmlns:fg="http://github.com/jonhoo/inferno"' if style == "today" else ""
    out = [DOCTYPE.replace("\n", ""), f'<svg version="1.1" width="1200" height="{height}" '
           f'viewBox="0 0 1200 {height}" {XMLNS}{fg}>', (COMMENT % "").replace("\n", ""),
           f'<text id="title" x="50.0000%" y="24.00">{title}</text>']
    samples = f' total_samples="{total}"' if style == "today" else ""
    if style != "0.6":
        out.append(f'<svg id="frames" x="10" width="1180"{samples}>')
    for box in boxes[1:] + boxes[:1]:
        x, width, y = place(box, total, height, icicle)
        text = (own or {}).get(box.name) or info(box, total, **more)
        text = escape(text, {'"': "&quot;", "'": "&apos;"})
        where = f'x="{100 * box.start / total:.4f}%" y="{y}" width="{100 * box.count / total:.4f}%"'
        if style == "0.6":
            where = f'x="{round(x)}" y="{y}" width="{round(x + width) - round(x)}"'
        elif style == "today":
            where += f' fg:x="{box.start}" fg:w="{box.count}"'
        group = "a" if own and box.name in own else "g"
        out.append(f'<{group}><title>{text}</title><rect {where} height="15" fill="rgb(1,2,3)"/>'
                   f'<text x="1%" y="{y + 10.5}">{escape(box.name)}</text></{group}>')
    return "".join(out) + ("</svg></svg>" if style != "0.6" else "</svg>")


def write(name, text):
    (HERE / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def pictures():
    for style in ("today", "2014", "2011"):
        write(f"perl-{style}.svg", perl(layout(STACKS), style=style, notes="made by hand"))
    for style in ("today", "0.9", "0.6"):
        write(f"inferno-{style}.svg", inferno(layout(STACKS), style=style))
    changes = {"main": -1, "main;parse (fast);read": 300, "worker; ": -250}
    write("perl-difference.svg", perl(layout(STACKS, changes), changed=True))
    write("perl-icicle-total.svg", perl(layout(STACKS), icicle=True, total=10000, unit="ms",
                                        title="Icicle Graph", subtitle="of 10 s"))
    write("perl-factor.svg", perl(layout([("a;b", 1), ("a;c", 1), ("a;d", 1)]), factor=0.7))
    write("inferno-factor.svg", inferno(layout(STACKS), factor=1000, unit="bytes"))
    chart = [("main;read", 3), ("main;parse;next", 2), ("main;read", 4), ("main;parse", 1)]
    write("inferno-chart.svg", inferno(layout(chart, merge=False), title="Flame Chart"))
    own = {"read": "reads <all>", "main": "the main function"}
    write("inferno-own-titles.svg", inferno(layout(STACKS), own=own))
    write("inferno-unit.svg", inferno(layout(STACKS), unit="a (3 b, 4.00%) <&> c"))
    write("inferno-py-spy.svg", inferno(layout(
        [("<module> (app.py:30);work (app.py:21)", 7), ("<module> (app.py:30)", 1)]), icicle=True,
        title="py-spy record -o x.svg -- python3 app.py --fast"))
    one = [("only;one;stack", 1)]
    write("one-stack.svg", perl(layout(one)))
    write("one-stack-icicle.svg", inferno(layout(one), icicle=True))
    zoomed = perl(layout([("a;b", 60), ("a;c", 40)]))
    zoomed = zoomed.replace('x="10.0"', 'x="-5.0" _orig_x="10.0"').replace(
        'width="472.0"', 'width="1180.0" _orig_width="472.0"')
    write("zoomed.svg", zoomed)


def mended():
    small = layout([("a;b", 60), ("a;c", 40)])
    write("ampersand.svg", perl(small, title="Tom & Jerry"))
    write("latin-1.svg", perl(layout([("main;gr\u00f6\u00dfe", 3)])).encode("latin-1"))
    write("control.svg", perl(layout([("main;a\x01b", 3)])))
    text = perl(layout(STACKS))
    write("cut.svg", text[:text.rindex("<text")])


def bad():
    write("bad/empty.svg", f'{DOCTYPE}<svg version="1.1" width="1200" height="60" {XMLNS}>\n'
          + COMMENT % "" + '<text x="50%" y="24">ERROR: No valid input provided to flamegraph'
          '</text>\n</svg>')
    write("bad/two-roots.svg", perl(layout(STACKS)[1:] or [], total=None).replace(">all (", ">x ("))
    orphan = perl(layout([("a;b", 60), ("a;c", 40)])).replace('x="10.0"', 'x="2000.0"', 3)
    write("bad/orphan.svg", orphan)
    write("bad/between-rows.svg", perl(layout([("a;b;c", 6)])).replace('y="37"', 'y="44"'))
    write("bad/mixed-units.svg", inferno(layout(STACKS)).replace(' fg:x="0"', "", 1))
    lol = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    write("bad/entities.svg", f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">{lol}]>'
          '<svg><g id="frames"><title>&l11;</title></g></svg>')
    write("bad/negative.svg", perl(layout([("a;b", 60), ("a;c", 40)])).replace('width="', 'width="-', 4))
    write("bad/picture.svg", f'<svg {XMLNS}><g id="frames"><circle r="4"/></g></svg>')
    write("bad/no-svg.xml", '<html><g id="frames"/></html>')


def drawn(profkit):
    """By profkit itself."""
    for name, options, stacks in (
            ("profkit", [], STACKS),
            ("profkit-fractions", ["--icicle"], [("a;b", 0.25), ("a;c", 1.125), ("d", 12)])):
        text = "".join(f"{stack} {count}\n" for stack, count in stacks)
        run = subprocess.run([profkit, "flamegraph", "--minwidth", "0", *options, "-"],
                             input=text.encode(), stdout=subprocess.PIPE, check=True)
        write(name + ".svg", run.stdout)


if __name__ == "__main__":
    pictures()
    mended()
    bad()
    if len(sys.argv) > 1:
        drawn(sys.argv[1])
