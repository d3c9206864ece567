# A recording whose planes and lines are longer than what of a file is in memory at once: from a file, which is read in pieces and
# more than once, is the same as from a pipe, which cannot be read again. Events have 12 to 49 bytes and one of 3 MB, so that pieces
# end at any place of them; the names of lines come after their events, those of events before and after the lines.
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
python3 - "$TESTDATA" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from protobuf import number, text

def event(i, stat):
    return text(4, number(1, 1 + i % 3) + number(2, i * 1_000_000) + number(3, 900_000) + text(4, number(1, 1) + stat))

def line(id, count, tail):
    events = [event(i, text(5, b"x" * (i * 7 % 37))) for i in range(count)]
    events[count // 2] = event(count // 2, text(5, b"y" * 3_000_000))
    return text(3, number(1, id) + number(3, 5000) + b"".join(events) + text(11, f"line {id}") + tail)

def names(field, *names):
    return b"".join(text(field, number(1, i + 1) + text(2, number(1, i + 1) + text(2, name))) for i, name in enumerate(names))

def plane(name, *lines):
    return text(1, text(2, name) + names(4, "one", "two") + b"".join(lines) + names(4, "again", "two", "three") +
                names(5, "argument") + text(6, number(1, 1) + text(5, "about " + name)))

whole = plane("/host:CPU", line(1, 30000, b""), line(2, 20001, b"\x0f")) + plane("/device:TPU:0", line(3, 25000, b""))
open("whole.xplane.pb", "wb").write(whole)
open("cut.xplane.pb", "wb").write(whole[:-10])
at = whole.index(b"y" * 1000) + 3_100_000
open("damaged.xplane.pb", "wb").write(whole[:at] + bytes([255] * 30) + whole[at + 30:])
at = whole.index(b"/device:TPU:0") + 13
open("broken.xplane.pb", "wb").write(whole[:at] + b"\x0b" + whole[at:])
END
for file in whole cut damaged; do
    profkit convert $file.xplane.pb --to chrome -o file.json 2>file.err
    cat $file.xplane.pb | profkit convert - --to chrome -o pipe.json 2>pipe.err
    cmp file.json pipe.json
    cat file.err pipe.err
    profkit query -q $file.xplane.pb "SELECT s.pid, s.thread, s.function, count(*), sum(s.duration), sum(length(a.value)) FROM spans s
        JOIN argument a ON a.owner = 'span' AND a.row = s.id GROUP BY 1, 2, 3; SELECT k.text, v.text FROM meta JOIN string k ON k.id = key
        JOIN string v ON v.id = value"
done
status 2 profkit info broken.xplane.pb
cat broken.xplane.pb | status 2 profkit info -
