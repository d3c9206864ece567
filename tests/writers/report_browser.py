#!/usr/bin/env python3
"""The page of `report` in a real browser: its table of functions and its call tree have the numbers of
`hotspots` and `tree`, for fixtures of all formats; names are text, whatever they are. Skipped where there is
no Chromium (CHROMIUM names another one)."""
import base64
import collections
import csv
import glob
import html
import html.parser
import json
import os
import pickle
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

PROFKIT = os.environ.get('PROFKIT', 'build/profkit')
TESTDATA = os.environ.get('TESTDATA', 'testdata')
browser = os.environ.get('CHROMIUM') or shutil.which('chromium') or shutil.which('chromium-browser') \
    or shutil.which('google-chrome')
if not browser:
    print('skipped: no chromium')
    sys.exit(77)
work = tempfile.mkdtemp()


class Page(html.parser.HTMLParser):
    """Tables, the tree and the text of a page."""
    def __init__(self, text):
        super().__init__()
        self.rows, self.tree, self.tags, self.text = [], [], collections.Counter(), ''
        self.cell = self.main = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags[tag] += 1
        if tag == 'html':
            self.ready = attrs.get('data-ready') == 'yes'
        if tag == 'main':
            self.main = True
        if tag == 'tr' and ('data-symbol' in attrs or 'data-row' in attrs):
            self.rows.append({})
        elif attrs.get('role') == 'treeitem' and 'data-node' in attrs:
            self.tree.append({'depth': int(attrs['aria-level']) - 1, 'values': [], 'text': ''})
        if 'data-key' in attrs:
            self.cell = attrs['data-key']
            self.rows[-1][self.cell] = ''
            if 'data-value' in attrs:
                self.rows[-1]['value ' + self.cell] = attrs['data-value']
        elif 'data-value' in attrs and self.tree:
            self.tree[-1]['values'].append(attrs['data-value'])

    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            self.cell = None
        if tag == 'main':
            self.main = False

    def handle_data(self, data):
        if self.main:
            self.text += data
        if self.cell:
            self.rows[-1][self.cell] += data
        if self.tree and self.main:
            self.tree[-1]['text'] += data


def profkit(*args):
    return subprocess.run([PROFKIT, *args], capture_output=True, check=False)


FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--window-size=1300,800']


def dump(path, state):
    """The page by a browser of its own, whose time is not that of the clock: for scripts that wait or measure."""
    done = subprocess.run([browser, *FLAGS, '--user-data-dir=' + work + '/dump', '--virtual-time-budget=10000', '--dump-dom', 'file://' + path + '#' + state],
                          capture_output=True, timeout=1800, check=False)
    return done.stdout.decode()


class Browser:
    """One Chromium for all pages, since its start takes longer than a page: messages of JSON that end with a zero byte,
    which it reads from descriptor 3 and writes to 4."""
    def __init__(self):
        (theirs, self.to), (self.answers, back) = os.pipe(), os.pipe()
        command = 'exec 3<&%d 4>&%d; exec "$@"' % (theirs, back)
        self.process = subprocess.Popen(['bash', '-c', command, '-', browser, *FLAGS,
                                         '--user-data-dir=' + work + '/profile', '--remote-debugging-pipe', 'about:blank'],
                                        pass_fds=(theirs, back), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(back)
        self.text, self.number, self.session, self.messages = b'', 0, None, []
        target = self.send('Target.createTarget', url='about:blank')['targetId']
        self.session = self.send('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.send('Runtime.enable')
        self.send('Log.enable')

    def message(self):
        while b'\0' not in self.text:
            if not select.select([self.answers], [], [], 600)[0]:
                raise TimeoutError('the browser does not answer')
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise OSError('the browser has ended')
            self.text += more
        first, _, self.text = self.text.partition(b'\0')
        return json.loads(first)

    def send(self, method, **params):
        self.number += 1
        text = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            text['sessionId'] = self.session
        os.write(self.to, json.dumps(text).encode() + b'\0')
        while True:
            answer = self.message()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise OSError(method + ': ' + answer['error']['message'])
                return answer['result']
            if answer.get('method') in ('Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'):
                self.messages.append(json.dumps(answer['params']))

    def run(self, expression):
        return self.send('Runtime.evaluate', expression=expression, awaitPromise=True, returnByValue=True)['result'].get('value')

    def open(self, path, state, until, dark):
        self.send('Emulation.setDeviceMetricsOverride', width=500 if dark else 1300, height=800, deviceScaleFactor=1, mobile=False)
        self.send('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
        self.send('Page.navigate', url='about:blank')
        self.messages = []
        self.send('Page.navigate', url='file://' + path + '#' + state)
        while not self.run(until):
            time.sleep(0.02)
        # What is drawn after the first frame, and tables, which keep room for rows to come.
        self.run('new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))')
        while not self.run('[...document.querySelectorAll("p.more")].every(p => !parseFloat(p.style.paddingTop))'):
            time.sleep(0.02)
        return self.run('document.documentElement.outerHTML'), self.messages


def dom(path, state, until='document.documentElement.dataset.ready === "yes"', dark=False):
    return chromium.open(path, state, until, dark)


failed = passed = 0


def check(what, ok, more=''):
    global failed, passed
    ok = bool(ok)
    passed += ok
    failed += not ok
    if not ok:
        print('not ok', what, str(more)[:2000])


def make(path, *options):
    page = work + '/page.html'
    done = profkit('report', '-q', *options, path, '-o', page)
    return page if done.returncode == 0 else None


def visible(text):
    """A name as the page shows it: characters that hide or reorder text are written out."""
    short = {'\n': '\\n', '\t': '\\t', '\r': '\\r'}
    return re.sub('[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]', lambda m: short.get(m[0]) or (
        '\\x%02x' if m[0] < '\x80' else '\\u%04x') % ord(m[0]), text)


def same(shown, value):
    """A value of the page and one of JSON, which may be beyond what JavaScript's numbers hold."""
    if value is None or shown is None or shown == '':
        return value is None and not shown
    return abs(float(shown) - value) <= abs(value) * 1e-12


def data_of(page):
    with open(page, encoding='utf8') as file:
        data = re.search(r'id="data">(.*?)</script>', file.read(), re.S).group(1)
    return json.loads(data if data[0] == '{' else zlib.decompress(base64.b64decode(data)))


def exponent_of(page):
    """Of the metric that is shown first: its values are whole numbers of 10^-exponent."""
    metrics = data_of(page)['metrics']
    return metrics[0]['exponent'] if metrics else 0


def compare_functions(name, page, whole, more=''):
    rows = json.loads(whole.stdout)['rows']
    text, messages = dom(page, 'view=functions&sort=function' + more)
    seen = Page(text)
    check(name + ': ready', seen.ready, messages)
    check(name + ': no messages', not messages, messages)
    key = lambda r: r['function'] or ''
    rows.sort(key=lambda r: key(r).encode('utf-16-be', 'surrogatepass'))
    check(name + ': number of functions', len(seen.rows) == min(len(rows), 200), (len(seen.rows), len(rows)))
    expected = collections.defaultdict(list)
    for r in rows:
        expected[visible(key(r))[:500]].append(r)
    for row in seen.rows:
        function = row['function'].lstrip('~')
        candidates = expected['' if function == '(no name)' else function[:500]]
        fits = [r for r in candidates if same(row.get('value self'), r['self']) and
                same(row.get('value total'), r['total']) and
                ('calls' not in row or same(row.get('value calls'), r['calls']))]
        check(name + ': ' + row['function'][:80], fits, (row, candidates))
        if fits:
            candidates.remove(fits[0])


def compare_tree(name, page, whole, more=''):
    rows = collections.defaultdict(list)
    for r in json.loads(whole.stdout)['rows']:
        rows[r['depth']].append(r)
    scale = 10 ** exponent_of(page)
    seen = Page(dom(page, 'view=tree' + more)[0])
    check(name + ': has a tree', len(seen.tree) > 0)
    for row in seen.tree:
        candidates = [r for r in rows[row['depth']] if visible(r['function'] or '(no name)')[:500] in row['text']]
        check(name + ': path ' + row['text'][:80], any(
            same(float(row['values'][0]) / scale, r['total'] or 0) and same(float(row['values'][1]) / scale, r['self'] or 0)
            for r in candidates), (row, candidates[:5]))


SAVED = """new Promise(done => {
    URL.createObjectURL = blob => (blob.text().then(done), '');
    HTMLAnchorElement.prototype.click = () => {};
    const button = [...document.querySelectorAll('#view .saves button')].find(b => b.textContent === 'SVG');
    button ? button.click() : done('');
})"""


def compare_flame(name, page):
    """The flame graph that the page saves has the functions of the one that its command draws, those of 1% and more."""
    text, messages = dom(page, 'view=flame')
    saved = chromium.run(SAVED)
    if not saved or 'below 0' in Page(text).text:
        return
    command = shlex.split(html.unescape(re.search('<code id="command"[^>]*>(.*?)</code>', text).group(1)))
    drawn = profkit(*command[1:-1], work + '/drawn.svg')
    check(name + ': ' + shlex.join(command), drawn.returncode == 0 and command[-2] == '-o' and not messages, (drawn.stderr, messages))
    totals = []
    for path in (write('saved.svg', saved), work + '/drawn.svg'):
        rows = json.loads(profkit('hotspots', '-q', '--format', 'json', '-n', '0', path).stdout)['rows']
        totals.append({re.sub(r'_\[.\]$', '', r['function']): r['total'] for r in rows})
    least = 0.01 * max(totals[1].values(), default=0)
    for these, others in (totals, totals[::-1]):
        check(name + ': boxes of the flame graph', all(abs(total - others.get(key, 0)) <= least for key, total in these.items()), totals)


# Views with the tables of other commands: the command, the member with its rows, and the numbers that both have.
tables = {
    'lines': (['lines', '-n', '0'], 'rows', ['line', 'hits', 'self']),
    'workers': (['workers', '-n', '0'], 'workers', ['useful', 'overhead', 'startup', 'tail', 'wait', 'tasks', 'samples', 'start', 'end']),
    'gpu': (['gpu', '--view', 'breakdown', '-n', '0'], 'rows', ['steps', 'time', 'computation', 'launch', 'host_wait', 'busy']),
    'ops': (['ops', '-n', '0'], 'rows', ['calls', 'cpu_self', 'cpu_total', 'device_self', 'device_total', 'cpu_memory_self']),
    'benchmarks': (['hotspots', '-n', '0'], 'rows', ['mean', 'stddev', 'median', 'min', 'max', 'rounds']),
    'memory': (['memory', '-n', '0'], 'rows', ['count', 'total', 'self']),
}
seen_tables = collections.Counter()


def compare_csv(name, view):
    """What is copied from a table has the columns of its command, and each row is one of the command, to the last digit; but
    for the text of lines."""
    copied = chromium.run("""new Promise(done => {
        const to = {writeText: async text => done(text)};
        Object.defineProperty(navigator, 'clipboard', {value: to, configurable: true});
        [...document.querySelectorAll('#view .saves button')].find(b => b.textContent === 'copy as CSV').click();
    })""")
    command = shlex.split(chromium.run('document.getElementById("command").textContent'))
    own = profkit(command[1], '--format', 'csv', '-n', '0', *command[2:]).stdout.decode()
    heads, *lines = csv.reader(copied.splitlines())
    own_heads, *own_lines = csv.reader(own.splitlines())
    plain = lambda line: tuple(cell for head, cell in zip(heads, line) if head != 'source')
    check(name + ': heads of the CSV of ' + view, heads == own_heads, (heads, own_heads))
    left = {plain(line) for line in lines} - {plain(line) for line in own_lines}
    check(name + ': CSV of ' + view, lines and not left, (sorted(left)[:3], command))


def compare_table(name, page, path, view):
    """Each row of the page is one of the command, and unless the page says otherwise none is missing."""
    command, member, keys = tables[view]
    done = profkit(*command, '--format', 'json', path)
    check(name + ': ' + view + ' of the command', done.returncode == 0, done.stderr)
    if done.returncode:
        return
    rows = json.loads(done.stdout)[member]
    text, messages = dom(page, 'view=' + view)
    seen = Page(text)
    check(name + ': ' + view + ': no messages', seen.ready and not messages, messages)
    shown = [row for row in seen.rows if any(row.get('value ' + k) for k in keys)]
    if view == 'memory' and shown: # one list at a time, which a button chooses
        table = next(t for t in data_of(page)['tables'] if t['view'] == view)
        first = [(c['cells'][0]) for key in ('list', 'by') for c in table['columns'] if c['key'] == key]
        rows = [r for r in rows if [r['list'], r['by']] == first][:200]
    seen_tables[view] += len(shown)
    check(name + ': rows of ' + view, len(shown) == len(rows) or ('not shown' in seen.text or 'left out' in seen.text), (len(shown), len(rows)))
    if shown:
        compare_csv(name, view)
    for row in shown:
        fits = [r for r in rows if all('value ' + k not in row or same(row['value ' + k], r[k]) for k in keys)]
        check(name + ': ' + view + ': ' + str(row)[:80], fits, (row, rows[:3]))
        if fits:
            rows.remove(fits[0])


def one_of_each_format():
    """The first fixture of each format of which there is a page."""
    for folder in sorted(glob.glob(TESTDATA + '/*/')):
        found = 0
        for path in sorted(glob.glob(folder + '*')):
            if path.endswith(('.dump', 'SOURCE', '.py', '.sh')) or not os.path.isfile(path) or found:
                continue
            whole = profkit('hotspots', '--format', 'json', '-n', '0', path)
            page = make(path)
            if whole.returncode == 0 and json.loads(whole.stdout)['schema'] == 'profkit.hotspots':
                check(path + ': has a page', page)
            if not page or whole.returncode or '"hotspots"' in whole.stdout.decode() or \
                    json.loads(whole.stdout)['schema'] != 'profkit.hotspots':
                continue
            found += 1
            yield os.path.relpath(path, TESTDATA), path, page, whole


def write(name, text):
    with open(work + '/' + name, 'w', encoding='utf8') as file:
        file.write(text)
    return work + '/' + name


if '<p>here' not in dump(write('simple.html', '<p>here'), ''):
    print('skipped: %s does not run here' % browser)
    sys.exit(77)
chromium = Browser()

families = set()
for name, path, page, whole in one_of_each_format():
    families.add(name.split('/')[0])
    compare_functions(name, page, whole)
    tree = profkit('tree', '--format', 'json', '-n', '0', path)
    if tree.returncode == 0:
        compare_tree(name, page, tree)
    compare_flame(name, page)
    for view in sorted({t['view'] for t in data_of(page).get('tables', [])} & set(tables)):
        compare_table(name, page, path, view)
for path in (TESTDATA + '/pytest-benchmark/values.json', TESTDATA + '/hyperfine/single.json'):
    compare_table(path, make(path), path, 'benchmarks')
check('tables', all(seen_tables[view] for view in tables), seen_tables)
check('formats', len(families) >= 20, families)

# Names are text.
evil = ['<img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', '<!--', '"><b>bold</b>', '__proto__', "'", '\\u003c', 'ünï \U0001f600',
        'x' * 100000]
page = make(write('evil.folded', ''.join('main;%s %d\n' % (e.replace(' ', '_'), i + 1) for i, e in enumerate(evil))))
for view in ('summary', 'callers', 'functions&q=%3Cimg', 'functions', 'flame&q=%2F.%2F', 'flame&mode=inverted', 'flame&mode=sandwich', 'tree&q=script', 'graph'):
    text, messages = dom(page, 'view=' + view)
    seen = Page(text)
    check('evil names: ' + view, seen.ready and not messages, messages)
    check('evil names: no elements', not seen.tags['img'] and not seen.tags['b'] and seen.tags['script'] == 2, seen.tags)
    if view == 'functions':
        check('evil names: all', len(seen.rows) == len(evil) + 1, len(seen.rows))
        check('evil names: as text', any(r['function'] == '</script><script>alert(1)</script>' for r in seen.rows))
        check('evil names: cut', any(len(r['function']) == 2001 and r['function'].endswith('…') for r in seen.rows))
text, messages = dom(page, 'view=%3Cb%3E&q=%3Cimg%3E&m=99&n=1e9&sort=%3Cb%3E&bad=%')
check('an odd address', Page(text).ready and not messages, messages)
check('the page of a long name is small', os.path.getsize(page) < 200000, os.path.getsize(page))

# Little or nothing to show.
page = make(write('one.folded', 'main 5\n'))
check('one function', [r['value self'] for r in Page(dom(page, 'view=functions')[0]).rows] == ['5'])
page = make(write('counters.json', '[{"ph":"C","pid":1,"ts":1,"name":"c","args":{"v":1}}]'))
text, messages = dom(page, 'view=flame')
check('nothing but counters', Page(text).ready and 'no costs of functions' in Page(text).text and not messages, messages)
page = make(write('zero.folded', 'main;a 0\n'))
check('no cost: a page', page)
for view in ('flame', 'tree'):
    check('no cost: ' + view, 'No call path has a cost' in Page(dom(page, 'view=' + view)[0]).text)
page = make(TESTDATA + '/memory-profiler/calls.txt', '--metric', 'memory')
text, messages = dom(page, 'view=flame')
check('no sum', 'memory is no sum of its parts' in Page(text).text and not messages, messages)

# Without a script, the words and the functions are there.
with open(make(TESTDATA + '/example/before.prof'), encoding='utf8') as file:
    plain = Page(file.read().split('<script', 1)[0].replace('<div id="static">', '<main>'))
check('without a script', 'price_of (orders.py:30)' in plain.text and 'time 285.43 ms' in plain.text and plain.tags['tr'] == 101)

def use(page, script, state, count):
    """Runs a script behind that of the page, whose policy would not allow it; what it found are lines."""
    with open(page, encoding='utf8') as file:
        text = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', '', file.read())
    with open(os.path.dirname(os.path.abspath(__file__)) + '/' + script, encoding='utf8') as file:
        text = text.replace('</body>', '<script type="module">' + file.read() + '</script></body>')
    results = dump(write('used.html', text), state).rpartition('<pre id="results">')[2].split('</pre>')[0].splitlines()
    for line in results:
        check(script + ': ' + line, line.startswith('ok '))
    check(script + ': all', len(results) == count, results)


use(make(TESTDATA + '/example/before.prof'), 'report_keys.js', '', 29)
# 40,000 call paths, and as many spans in 200 of their callers.
spans = [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 1000 * i, 'dur': 1000, 'name': 'f%d' % i} for i in range(200)]
spans += [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 1000 * i + 5 * k, 'dur': 4, 'name': 'g%d' % k} for i in range(200) for k in range(200)]
use(make(write('many.json', json.dumps({'traceEvents': spans}))), 'report_frames.js', 'view=flame', 10)

# A search finds the same as --match, and the command says so.
page = make(TESTDATA + '/example/before.prof')
seen = Page(dom(page, 'view=functions&q=%2F%5E_p%2F')[0])
found = json.loads(profkit('hotspots', '--format', 'json', '--match', '^_p', TESTDATA + '/example/before.prof').stdout)['rows']
check('search', sorted(r['function'] for r in seen.rows) == sorted(r['function'] for r in found), seen.rows)

# Callers and callees are those of `callers` and `callees`.
def compare_relatives(path, page, function):
    shown = Page(dom(page, 'view=callers&q=%2F%5E' + function + '%24%2F')[0]).rows
    seen = sorted((r['function'].rpartition(' (')[0] or r['function'], r['value total'], r.get('value self', ''), r.get('value calls', '')) for r in shown)
    rows = []
    for command, other in (('callers', 'caller'), ('callees', 'callee')):
        rows += [(r[other], *('' if r[key] is None else str(r[key]) for key in ('total', 'self', 'calls')))
                 for r in json.loads(profkit(command, '--format', 'json', '-n', '0', '^' + function + '$', path).stdout)['rows']]
    check(path + ': callers of ' + function, seen == sorted(rows) and seen, (seen, sorted(rows)))
    return shown


compare_relatives(TESTDATA + '/example/before.prof', page, 'make_orders')
compare_relatives(TESTDATA + '/example/before.prof', page, 'randrange')
small = write('small.folded', 'main;a;b;a 5\nmain;a 2\nmain;b;a;c 7\n')
compare_relatives(small, make(small), 'a')
compare_relatives(small, make(small), 'main')
callgrind = TESTDATA + '/callgrind/plain.out'
shown = compare_relatives(callgrind, make(callgrind), 'main')
check('callgrind: no column of unknown values', all('calls' in r and 'self' not in r for r in shown), shown)

# The call graph has the functions and numbers of callgraph.
for path in (TESTDATA + '/example/before.prof', small):
    page = make(path)
    text, messages = dom(page, 'view=graph')
    seen = Page(text)
    check('call graph: no messages', seen.ready and not messages, messages)
    unit = 1e9 if data_of(page)['metrics'][0]['unit'] == 'ns' else 1
    rows = json.loads(profkit('callgraph', '--list-functions', '*', '--format', 'json', path).stdout)['rows']
    check('call graph: functions', len(seen.rows) >= 3 and seen.tags['path'] > len(seen.rows) / 2, (len(seen.rows), seen.tags))
    for row in seen.rows:
        check('call graph: ' + row['function'], any(
            row['function'].startswith(r['function']) and all(abs(float(row['value ' + k]) * unit - r[k]) <= 1e-9 * r[k] + 1e-6 for k in ('total', 'self'))
            for r in rows), row)
with open(work + '/wide.folded', 'w') as file:
    file.write('0x000000000001ab70;WWWWWWWWWWMMMMMMMMMM 5\n')
dom(make(work + '/wide.folded'), 'view=graph')
boxes = chromium.run('[...document.querySelectorAll(".graph .box")].map(b => [b.width.baseVal.value, ...[...b.parentNode.querySelectorAll("text")].map(t => t.getComputedTextLength())])')
check('call graph: labels are within their boxes', len(boxes) == 2 and all(max(b[1:]) + 8 <= b[0] < max(b[1:]) + 30 for b in boxes), boxes)
text, messages = dom(make(small), 'view=flame&mode=sandwich&q=%2F%5Ea%24%2F')
check('sandwich', '14, 100.0% of all on its paths' in Page(text).text and not messages, (Page(text).text, messages))
text, messages = dom(make(small), 'view=flame&mode=inverted')
check('inverted', 'all: 14' in Page(text).text and not messages, (Page(text).text, messages))

# The timeline: each lane has its spans, a window those that are in it, which --time takes, too.
trace = TESTDATA + '/chrome/viztracer.json'
page = make(trace)
text, messages = dom(page, 'view=timeline')
seen = Page(text)
check('timeline: no messages', seen.ready and not messages, messages)
lanes = [r for r in seen.rows if 'value spans' in r]
spans = json.loads(profkit('query', '--format', 'json', trace, 'SELECT thread, count(*) AS n FROM span GROUP BY thread').stdout)['rows']
check('timeline: spans of lanes', sorted(int(r['value spans']) for r in lanes) == sorted(r['n'] for r in spans), (lanes, spans))
whole = data_of(page)['timeline']
half = (whole['end'] - whole['begin']) // 2
seen = Page(dom(page, 'view=timeline&time=0..%d' % half)[0])
longest = [r for r in seen.rows if 'value length' in r]
check('timeline: the longest of a window', longest and all(int(r['value from']) < half for r in longest), longest)
check('timeline: command', '--time=%dns..%dns' % (whole['begin'], whole['begin'] + half) in seen.text, seen.text)
check('timeline: --time', profkit('timeline', '--time=%dns..%dns' % (whole['begin'], whole['begin'] + half), trace, '-o', work + '/t.svg').returncode == 0)

def compare_graph(name, page, paths, options, more):
    """The call graph of what filters leave has the functions, numbers and arrows of the one that the command draws."""
    graphs = data_of(page).get('graphs')
    if not graphs or graphs[0].get('split'):
        return
    unit = 1e9 if data_of(page)['metrics'][0]['unit'] == 'ns' else 1
    text, messages = dom(page, 'view=graph' + more)
    seen = Page(text)
    drawn = profkit('callgraph', '-q', '--limit', '60', *options, *paths).stdout.decode()
    rows = json.loads(profkit('callgraph', '--list-functions', '*', '--format', 'json', *options, *paths).stdout)['rows']
    arrows = len(re.findall(r'^\t\d+ -> ', drawn, re.M))
    check(name + ': the call graph', not messages and len(seen.rows) == len(re.findall(r'^\t\d+ \[', drawn, re.M)) and seen.tags['path'] - 1 == arrows,
          (messages, len(seen.rows), seen.tags, drawn))
    for row in seen.rows:
        check(name + ': the call graph: ' + row['function'], any(
            row['function'].startswith(r['function']) and all(abs(float(row['value ' + k]) * unit - r[k]) <= 1e-9 * abs(r[k]) + 1e-6 for k in ('total', 'self'))
            for r in rows), row)


def compare_filters(path, *options):
    """The page with filters in its address has the numbers of the commands with these filters, and shows these.
    Paths of several files have commas between them."""
    paths = path.split(',')
    page = make(*paths)
    more = ''.join('&%s=%s' % (o.partition('=')[0].lstrip('-'), urllib.parse.quote(o.partition('=')[2] or '1')) for o in options)
    name = os.path.basename(path) + ' ' + ' '.join(options)
    compare_functions(name, page, profkit('hotspots', '--format', 'json', '-n', '0', *options, *paths), more)
    compare_tree(name, page, profkit('tree', '--format', 'json', '-n', '0', *options, *paths), more)
    compare_graph(name, page, paths, options, more)
    text = dom(page, 'view=functions' + more)[0]
    command = html.unescape(re.search('<code id="command"[^>]*>(.*?)</code>', text).group(1))
    words = shlex.split(command.replace(' --metric time', ''))
    check(name + ': command', sorted(words) == sorted(['profkit', 'hotspots'] + [w for o in options for w in o.split('=', 1)] + paths), command)


compare_filters(write('paths.folded', 'main;a;b;a 5\nmain;a 2\nmain;b;a;c 7\nmain 3\n'), '--hide=^a$', '--ignore=c')
compare_filters(work + '/paths.folded', '--focus=b', '--show-from=a')
compare_filters(TESTDATA + '/example/before.prof', '--focus=parse|price', '--fold-library')
compare_filters(TESTDATA + '/example/before.prof', '--hide=make', '--collapse-recursion')
compare_filters(TESTDATA + '/example/before.prof', '--only-my-code')
compare_filters(TESTDATA + '/example/before.prof', '--only-my-code', '--fold-library', '--ignore=render')
# Libraries outside of the program, with and without a cost there, inside of it, and above one of its functions.
libraries = 'run 2,run;main 3,run;main;get;send 10,run;main;get;done 4,run;main;get;done;dumps 1,boot;run 6,boot;run;work 7,main;main 8,idle 0,load;main 9'
places = dict.fromkeys(('run', 'boot', 'get', 'send', 'dumps', 'load', 'idle'), '/usr/lib/python3.11/a.py')
stacks = write('libraries.folded', '\n'.join(re.sub('[a-z]+', lambda m: '%s (%s:1)' % (m[0], places.get(m[0], '/app/main.py')), line) for line in libraries.split(',')) + '\n')
compare_filters(stacks, '--only-my-code')
compare_filters(stacks, '--only-my-code', '--hide=^main$')
compare_filters(stacks, '--only-my-code', '--collapse-recursion', '--fold-library')
compare_filters(stacks, '--only-my-code', '--show-from=get', '--ignore=boot')
compare_filters(TESTDATA + '/chrome/viztracer.json', '--hide=work', '--ignore=sleep')


def compare_window(path, begin, end, *options):
    """A window of time that begins and ends with steps has the numbers of --time, alone and with other filters."""
    page = make(path)
    split = data_of(page)['paths']['split']
    first, last = (round(share * split['steps']) * split['step'] for share in (begin, end))
    option = '--time=%dns..%dns' % (split['begin'] + first, split['begin'] + last)
    more = '&time=%d..%d' % (first, last) + ''.join('&%s=%s' % (o.partition('=')[0].lstrip('-'), urllib.parse.quote(o.partition('=')[2])) for o in options)
    name = ' '.join((os.path.basename(path), option) + options)
    compare_functions(name, page, profkit('hotspots', '--format', 'json', '-n', '0', option, *options, path), more)
    compare_tree(name, page, profkit('tree', '--format', 'json', '-n', '0', option, *options, path), more)
    check(name + ': command', option in html.unescape(dom(page, 'view=flame' + more)[0]))


compare_filters(trace, '--thread=7', '--process=^Fork', '--ignore=read')
ranks = '%s/torch/gpu.json,%s/torch/rank1.json' % (TESTDATA, TESTDATA)
compare_filters(ranks, '--rank=1')
compare_filters(ranks, '--rank=3', '--hide=aten')
compare_window(trace, 0.25, 0.75)
compare_window(trace, 0, 0.5, '--process=Main', '--hide=append')
compare_window(trace, 0, 0.5, '--ignore=append')
compare_window(TESTDATA + '/perf-script/default.perf', 0, 0.5)


def compare_shifted(first_file, other, shift):
    """The second file begins `shift` ns after the first: a window of both has the sums of --time of each from its own begin, and the
    page says that its command means another time."""
    page = make(first_file, other)
    data = data_of(page)
    split = data['paths']['split']
    begin, end = (split['begin'] + step * split['step'] for step in (10, 200))
    sums = collections.Counter()
    for file, moved_by in ((first_file, 0), (other, shift)):
        option = '--time=%dns..%dns' % (max(0, begin - moved_by), end - moved_by)
        for r in json.loads(profkit('hotspots', '-q', '--format', 'json', '-n', '0', option, file).stdout)['rows']:
            sums.update({(r['function'], key): r[key] for key in ('self', 'total', 'calls')})
    text, messages = dom(page, 'view=functions&time=%d..%d' % (begin - data['timeline']['begin'], end - data['timeline']['begin']))
    seen = {(r['function'], key): float(r['value ' + key]) for r in Page(text).rows for key in ('self', 'total', 'calls')}
    check('a window of two files: numbers', seen == sums and not messages, (seen, sums))
    check('a window of two files: the command is another one', 'from the begin of the first file' in chromium.run('document.querySelector(".filters .error").textContent'))
    check('a window of two files: timeline', '; times are those from the begin of the first file' in dom(page, 'view=timeline&time=0..9')[0])


compare_shifted(*ranks.split(','), 900000)
dom(make(trace), 'view=functions&time=0..1000')
check('a window of one file', chromium.run('document.querySelector(".filters .error").textContent') == '')
leaks = TESTDATA + '/memray/all.bin'
# A window of the address, and the time that the command shows for it.
for file, window, shown_time in ((leaks, '0..100', '1000000ns..1000100ns'), (TESTDATA + '/torch-memory/protocol5.pickle', '20000..45000', '19943ns..45141ns')):
    rows = json.loads(profkit('hotspots', '-q', '--format', 'json', '-n', '0', '--metric', 'leaked', '--time=' + shown_time, file).stdout)['rows']
    text, messages = dom(make(file), 'view=memory&time=' + window)
    shown = [r for r in Page(text).rows if 'value total' in r and 'value share' not in r]
    check('memory between handles', shown and not messages and '--time=' + shown_time in text and
          sorted((int(r['value self']), int(r['value total'])) for r in shown) == sorted((r['self'], r['total']) for r in rows if r['self']), (text, shown, rows))
# What was there before the history and is freed in it has nothing in the whole, and no row in the page.
def memory_event(action, time_us, addr, size):
    return {'action': action, 'addr': addr, 'size': size, 'stream': 0, 'time_us': time_us, 'frames': [{'name': 'f', 'filename': 'a.py', 'line': 1}]}


with open(work + '/freed.pickle', 'wb') as file:
    pickle.dump({'segments': [], 'device_traces': [[memory_event('alloc', 10, 1000, 100), memory_event('free_requested', 30, 9000, 700),
                                                    memory_event('free_completed', 30, 9000, 700), memory_event('alloc', 90, 2000, 5000)]]}, file)
text, messages = dom(make(work + '/freed.pickle'), 'view=memory&time=10000..40000')
check('memory between handles: the sum', 'and -700 B of functions that have nothing in the whole' in Page(text).text and '-700 B more' in text and not messages, (Page(text).text, messages))
# Lines are numbers of places, not of things: they have no separators.
with open(work + '/long.heapprofile', 'w') as file:
    json.dump({'head': {'callFrame': {'functionName': 'f', 'scriptId': '1', 'url': 'a.js', 'lineNumber': 1233, 'columnNumber': 0},
                        'selfSize': 2345, 'id': 1, 'children': []}, 'samples': [], 'samplingInterval': 1}, file)
text, messages = dom(make(work + '/long.heapprofile'), 'view=memory')
check('memory: lines', [r['line'] for r in Page(text).rows] == ['1234'] and not messages, (Page(text).rows, messages))
# Headings of numbers stay in one line where names take all the room.
with open(work + '/names.heapprofile', 'w') as file:
    json.dump({'head': {'callFrame': {'functionName': 'long_name::' * 30, 'scriptId': '1', 'url': '/long/path' * 30, 'lineNumber': 3, 'columnNumber': 0},
                        'selfSize': 2345678, 'id': 1, 'children': []}, 'samples': [], 'samplingInterval': 1}, file)
dom(make(work + '/names.heapprofile'), 'view=memory')
heads = chromium.run('[...document.querySelectorAll("#view thead th")].map(e => [e.textContent, e.clientHeight])')
check('memory: headings', heads[0][0] == 'self\u00a0(MB)' and len({h for _, h in heads}) == 1 and heads[0][1] < 30, heads)
# Lines: what groups are ordered by is beside their names, and a group without a file has no share of it. Shares above all are explained.
with open(work + '/callgrind.out.2', 'w') as file:
    file.write('events: Ir\nfn=f\n1 10\n2 20\ncfn=f\ncalls=3 1\n2 90\nfl=a.c\nfn=g\n4 20\ncfl=???\ncfn=f\ncalls=1 1\n5 30\n')
page = make(work + '/callgrind.out.2')
dom(page, 'view=lines')
heads = chromium.run('[...document.querySelectorAll("#view h2, #view thead")].map(e => e.textContent)')
check('lines: headings', heads == ['f, self 30 (60.0%)', 'lineselffunc%', 'g (a.c), self 20 (40.0%)', 'lineselffunc%file%'], heads)
for function, times in (('f', 1), ('g', 0)):
    text, messages = dom(page, 'view=callers&q=/^%s$/' % function)
    check('callers: shares above 100%', Page(text).text.count('Shares above 100%') == times and not messages, (Page(text).text, messages))
dom(page, 'view=functions')
rows = chromium.run('[...document.querySelectorAll("#view tbody tr")].map(r => [r.offsetHeight, r.querySelector(".number").getClientRects()[0].top - r.querySelector("a").getClientRects()[0].top])')
check('functions: names stand beside their numbers', len(rows) == 2 and all(h < 28 and -6 < away < 1 for h, away in rows), rows)
check('tree: what is counted', ['2 call paths of functions; ~' in Page(dom(page, 'view=tree')[0]).text, ' of functions' in Page(dom(make(small), 'view=tree')[0]).text] == [True, False])
# Handles of memory over time, and keys where one of them has the focus; functions are shown in the metric of the list.
page = make(leaks)
dom(page, 'view=memory&t=leaked+by+function')
metric = [m['name'] for m in data_of(page)['metrics']].index('leaked')
links = chromium.run('[...document.querySelectorAll("#view tbody a")].map(a => a.hash)')
check('memory: links', links and all('view=callers' in link and '&m=%d' % metric in link for link in links), links)


def send_key(key, code):
    text = '\r' if key == 'Enter' else key
    for kind in ('rawKeyDown', 'char', 'keyUp'):
        if kind != 'char' or len(text) == 1:
            chromium.send('Input.dispatchKeyEvent', type=kind, key=key, windowsVirtualKeyCode=code, **({'text': text} if kind == 'char' else {}))


def press(key, code):
    """What is in the address when a key was pressed."""
    send_key(key, code)
    return chromium.run('new Promise(done => setTimeout(() => done(location.hash), 100))')


def drag(handle, value):
    chromium.run('Object.assign(document.querySelectorAll("#view input")[%d], {value: %d}).dispatchEvent(new Event("change"))' % (handle, value))
    return chromium.run('new Promise(done => setTimeout(() => done(location.hash), 100))')


PLACES = '[...document.querySelectorAll("#view input")].map(i => i.value).join()'
chosen = drag(1, 500)
check('memory: a handle', '&time=0..' in chosen, chosen)
places = chromium.run(PLACES)
moved = drag(0, 700)
check('memory: a handle beyond the other one', moved == chosen and chromium.run(PLACES) == places, (moved, places))
chromium.run('document.querySelectorAll("#view input")[0].focus()')
moved = press('ArrowRight', 39)
check('memory: a handle by keys', '&time=' in moved and '&time=0..' not in moved, moved)
check('memory: the focus stays', chromium.run('document.activeElement.dataset.focus') == 'memory-from')
press('Escape', 27)
check('memory: Esc', '&time=' not in chromium.run('location.hash'))
check('memory: a digit', 'view=functions' in press('2', 50))
check('a thread that does not exist', 'thread matches nothing' in dom(make(trace), 'view=tree&thread=nothing')[0])


def tab_to(selector):
    for _ in range(60):
        if chromium.run('document.activeElement.matches(%s)' % json.dumps(selector)):
            return True
        send_key('Tab', 9)
    return False


FILTERS = """({address: location.hash, words: document.querySelector('.filters .error').textContent, said: document.getElementById('command').textContent,
    focus: document.activeElement.id, fields: Object.fromEntries([...document.querySelectorAll('.filters input')].map(i => [i.id.slice(7), i.type === 'checkbox' ? i.checked : i.value])),
    rows: [...document.querySelectorAll('#view tbody tr')].map(r => [...r.children].map(c => c.dataset.value || c.textContent).join())})"""


def type_filters(paths, typed, words=''):
    """Filters are reached by Tab, typed and set by Enter, or by the space bar if they are flags: then the page has the numbers of
    `hotspots` with these options, whose command it shows, or says what is wrong. The way back leads to the page before."""
    name = ' '.join([os.path.basename(paths[0]), *map(str, typed.items())])
    options = ['--%s%s' % (key, '' if value is True else '=' + value) for key, value in typed.items()]
    page = make(*paths)
    compare = lambda text: collections.Counter((r['function'].lstrip('~'), float(r['value self']), float(r['value total'])) for r in Page(text).rows)
    dom(page, 'view=functions')
    states = [chromium.run(FILTERS)]
    check(name + ': Tab leads to the filters', tab_to('.filters summary'))
    press('Enter', 13)
    for key, value in typed.items():
        check(name + ': Tab leads to ' + key, tab_to('#filter-' + key), states)
        for letter in '' if value is True else value:
            send_key(letter, ord(letter.upper()) if letter.isalnum() else 0)
        press(*(' ', 32) if value is True else ('Enter', 13))
        states.append(chromium.run(FILTERS))
    last = states[-1]
    check(name + ': the focus stays', last['focus'] == 'filter-' + list(typed)[-1], last)
    check(name + ': address', all('%s=%s' % (key, '1' if value is True else urllib.parse.quote_plus(value, safe='*')) in last['address'] for key, value in typed.items()), last)
    check(name + ': what the page says', last['words'] == words, last)
    done = profkit('hotspots', '-q', '--format', 'json', '-n', '0', *options, *paths)
    check(name + ': wrong for the command, too', (done.returncode == 2) == (': this is no' in words), (done.returncode, done.stderr))
    if done.returncode == 0:
        rows = collections.Counter((r['function'] or '(no name)', r['self'], r['total']) for r in json.loads(done.stdout)['rows'])
        check(name + ': numbers', compare(chromium.run('document.documentElement.outerHTML')) == rows, (last, rows))
        shown = profkit(*shlex.split(last['said'])[1:], '-q', '--format', 'json', '-n', '0')
        check(name + ': the command that is shown', json.loads(shown.stdout)['rows'] == json.loads(done.stdout)['rows'], last)
    else:
        check(name + ': nothing is filtered', last['rows'] == states[0]['rows'] and last['rows'], last)
    for state in states[-2::-1]:
        chromium.run('history.back(); new Promise(done => setTimeout(done, 200))')
        back = chromium.run(FILTERS)
        check(name + ': back', all(back[key] == state[key] for key in ('address', 'words', 'said', 'fields', 'rows')), (back, state))


threads = TESTDATA + '/py-spy/threads.raw.txt'
type_filters([trace], {'process': 'Fork', 'thread': '7'})
type_filters([trace], {'process': '(?i)mainprocess', 'only-my-code': True})
type_filters([trace], {'thread': '0x7'})
type_filters([trace], {'process': '*'}, 'process: this is no regular expression')
type_filters([trace], {'thread': '99'}, 'no thread has the number 99')
type_filters([threads], {'thread': 'no thread'}, 'thread matches nothing')
type_filters([threads], {'thread': '139640846861888'})
type_filters([TESTDATA + '/austin/compressed.austin'], {'process': '70', 'hide': 'g|x\\-y'})
type_filters(ranks.split(','), {'rank': '3', 'ignore': 'aten'})
type_filters(ranks.split(','), {'rank': '('}, 'rank: this is no number')
type_filters(ranks.split(','), {'rank': '7'}, 'no rank has the number 7')
dom(make(threads), 'view=functions')
check('no filter of processes where none is known', 'process' not in chromium.run(FILTERS)['fields'])
dom(make(TESTDATA + '/austin/compressed.austin'), 'view=functions')
check('numbers of what has no name are offered', chromium.run('[...document.querySelectorAll("#names-thread option")].map(o => o.value).join()') == '70,71,90')
check('a filter that matches nothing', 'focus matches nothing' in dom(make(work + '/paths.folded'), 'view=tree&focus=nothing')[0])
check('a filter that is no expression', 'no regular expression' in dom(make(work + '/paths.folded'), 'view=tree&focus=(')[0])


def compare_sides(name, before, after, *options):
    """The numbers and verdicts of the comparison are those of `diff`, the paths those of `diff --view tree`."""
    sides = [*before, '--', *after]
    page = work + '/both.html'
    check(name + ': page', profkit('report', *options, '-o', page, *sides).returncode == 0)
    text, messages = dom(page, 'view=comparison')
    seen = Page(text)
    check(name + ': no messages', seen.ready and not messages, messages)
    compare_csv(name, 'comparison')
    rows = json.loads(profkit('diff', '--format', 'json', '-n', '0', *options, *sides).stdout)['rows']
    check(name + ': rows', len(seen.rows) == len(rows) > 0, (len(seen.rows), len(rows)))
    for shown, row in zip(seen.rows, rows):
        number = lambda key: '' if row[key] is None else row[key]
        fits = [same(shown['value ' + key], row[key]) for key in ('before', 'after', 'delta')] + \
            [(float(shown['value ratio']) if shown['value ratio'] else '') == number('ratio'),
             shown['value verdict'] == row['verdict'],
             shown['function'].startswith(row['function'] or '(no name)'),
             row['note'] is None or shown['function'].endswith(': ' + row['note']),
             shown.get('value ci', '') == ('' if row['ci_low'] is None else '%g %s' % (
                 row['ci_low'], 'NaN' if row['ci_high'] is None else '%g' % row['ci_high'])),
             same(shown.get('value p', '') or None, row['p'])]
        check(name + ': ' + shown['function'], all(fits), (fits, shown, row))
    if 'calls' in options or name == 'benchmarks':
        return
    rows = json.loads(profkit('diff', '--view', 'tree', '--format', 'json', '-n', '0', '--min-share', '0.0001%', *options, *sides).stdout)['rows']
    scale = 10 ** exponent_of(page)
    seen = Page(dom(page, 'view=changes')[0])
    found = 0
    for row in seen.tree:
        before, after, delta, own = (float(v) / scale for v in row['values'])
        same_path = [r for r in rows if r['depth'] == row['depth'] and (r['function'] or '(no name)') in row['text'] and
                     (r['before'], r['after'], r['delta'], r['self_delta']) == (before, after, delta, own)]
        check(name + ': path ' + row['text'], same_path or abs(delta) <= 1e-6 * max(before, after), (row, rows))
        found += len(same_path)
    check(name + ': has changes', found or not rows, (seen.tree, rows[:3]))
    text, messages = dom(page, 'view=changes-flame')
    check(name + ': flame graph', ' before, ' in Page(text).text and not messages, messages)


DIFF = TESTDATA + '/diff/'
for other in ('moved', 'gone', 'renamed'):
    compare_sides(other, [DIFF + 'before.prof'], [DIFF + other + '.prof'])
compare_sides('folded', [DIFF + 'before.folded'], [DIFF + 'after.folded'])
compare_sides('estimated', [DIFF + 'before.prof'], [DIFF + 'slower.prof'], '--focus', 'load')
compare_sides('runs', [DIFF + 'run-a%d.prof' % i for i in (1, 2, 3)], [DIFF + 'run-b%d.prof' % i for i in (1, 2, 3)])
compare_sides('benchmarks', [TESTDATA + '/pytest-benchmark/values.json'], [TESTDATA + '/pytest-benchmark/slower.json'])
compare_sides('calls', [DIFF + 'before.prof'], [DIFF + 'often.prof'], '-m', 'calls')

perf = TESTDATA + '/perf-script/default.perf'
check('more than nine views', profkit('report', '-o', work + '/both.html', perf, '--', perf).returncode == 0)
titles = (dom(work + '/both.html', ''), chromium.run('[...document.querySelectorAll("nav a")].map(a => a.title)'))[1]
check('keys of nine views', len(titles) > 9 and titles[8:] == ['key 9'] + [''] * (len(titles) - 9), titles)

# Rules for people who read by ear or keyboard: axe-core, where AXE names its axe.min.js.
def check_access(what, page, views):
    with open(os.environ['AXE'], encoding='utf8') as file:
        script = '<script>' + file.read().replace('</script', '<\\/script') + '</script><script type="module">' \
            'const wait = ms => new Promise(r => setTimeout(r, ms));' \
            'while (document.documentElement.dataset.ready !== "yes") await wait(20); await wait(300);' \
            'const found = await axe.run(), pre = document.createElement("pre"); pre.id = "results";' \
            'pre.textContent = JSON.stringify(found.violations.map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))]));' \
            'document.body.append(pre);</script></body>'
    with open(page, encoding='utf8') as file:
        head, _, tail = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', '', file.read()).rpartition('</body>')
    path = write('axe.html', head + script + tail)
    for view in views:
        for dark in (False, True):  # light and wide, dark and narrow
            text = dom(path, 'view=' + view, 'document.getElementById("results") !== null', dark)[0].rpartition('<pre id="results">')[2].split('</pre>')[0]
            check('%s: axe: %s %s' % (what, view, 'dark' if dark else 'light'), text == '[]', text)


if os.environ.get('AXE'):
    both = work + '/both.html'
    profkit('check', '-q', '-b', DIFF + 'before.prof', '--fail', 'self>3%', '--report', 'html=' + both, DIFF + 'slower.prof')
    check_access('check', both, ('comparison', 'changes', 'changes-flame', 'summary', 'functions', 'callers', 'flame', 'tree'))
    for name, views in {'torch/gpu.json': ('timeline', 'gpu', 'ops'), 'memray/all.bin': ('memory', 'lines'), 'workers/contended/lock.viztracer.json.gz': ('workers',),
                        'pytest-benchmark/values.json': ('benchmarks',), 'pstats/plain-v4.prof': ('graph',)}.items():
        check_access(name, make(TESTDATA + '/' + name), views)

# A page with a limit is smaller, and says what is left out; totals stay.
stacks = ''.join('main;module_%d;function_%d;leaf_%d %d\n' % (i % 50, i, i * 7 % 1000, i % 13 + 1) for i in range(20000))
page = make(write('many.folded', stacks), '--max-size', '300K')
check('size', os.path.getsize(page) <= 300 << 10, os.path.getsize(page))
text = Page(dom(page, 'view=summary')[0]).text
check('what is left out', 'functions are left out' in text and 'call paths are left out' in text, text)
tree = Page(dom(page, 'view=tree')[0]).tree
check('totals with what is left out', tree[0]['values'][0] == str(sum(i % 13 + 1 for i in range(20000))), tree[:1])

chromium.send('Browser.close')
chromium.process.wait()
shutil.rmtree(work)
print('%d passed, %d failed, %d formats' % (passed, failed, len(families)))
sys.exit(1 if failed or passed < 400 else 0)
