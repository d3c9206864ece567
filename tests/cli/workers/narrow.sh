# On a terminal bars and names share what room there is, and lines are not broken in the middle of a word.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
in_terminal() { # COLUMNS ARGUMENT...
    python3 -c '
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if not pid:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    text += more
os.waitpid(pid, 0)
sys.stdout.write(text.decode().replace("\r", ""))' "$1" "$PROFKIT" "${@:2}"
}
cp "$TESTDATA"/workers/recorded/tail.viztracer.json.gz tail.json.gz
in_terminal 80 workers --color never tail.json.gz
in_terminal 130 workers --color never tail.json.gz | sed -n '3,5p'
