# One run a side: changes of two functions that are about opposite are chance, if both are called as
# often as before; the same amount less and more is cost that moved.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
make() { # FILE RENDER ESCAPE: seconds
    python3 - "$@" <<'END'
import marshal, sys
name, render, escape = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
main, other = ("web.py", 1, "main"), 1 - render - escape
stats = {main: (1, 1, other, 1.0, {}),
         ("web.py", 5, "render"): (9, 9, render, render, {main: (9, 9, render, render)}),
         ("web.py", 9, "escape"): (9, 9, escape, escape, {main: (9, 9, escape, escape)})}
marshal.dump(stats, open(name, "wb"))
END
}
make before.prof 0.3 0.1
make noise.prof 0.2 0.182
make moved.prof 0.2 0.2
profkit diff before.prof noise.prof
profkit diff before.prof moved.prof
