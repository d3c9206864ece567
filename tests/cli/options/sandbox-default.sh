# Without an option a command is in the sandbox, where the system and the build have one.
unset PROFKIT_SANDBOX LD_PRELOAD LD_AUDIT
if ! profkit --version | grep -q 'Sandbox: by default' ||
	! profkit info --sandbox "$TESTDATA/example/before.prof" >/dev/null 2>&1 ||
	! grep -q Seccomp_filters /proc/self/status; then
	echo "no sandbox by default here"
	exit 77
fi
mkfifo pipe
filters() { awk '/^Seccomp_filters/ { print $2 }' "/proc/$1/status"; }
# The filters that a command has more than this shell, and its children, while it waits for input.
state() {
	local name=$1
	shift
	env "${@}" &
	exec 3>pipe
	echo "$name: $(($(filters $!) - $(filters $$))) filter, $(wc -w <"/proc/$!/task/$!/children") children"
	cat "$TESTDATA/example/before.prof" >&3
	exec 3>&-
	wait $! || echo "status $?"
}
exec 4>/dev/null
state default "$PROFKIT" hotspots pipe -o /dev/stderr 2>/dev/null
state output "$PROFKIT" hotspots pipe -o out
state descriptor "$PROFKIT" hotspots pipe -o /dev/fd/4
state --sandbox PROFKIT_SANDBOX=no "$PROFKIT" hotspots --sandbox pipe -o /dev/fd/4
state --no-sandbox "$PROFKIT" hotspots --no-sandbox pipe -o out
state last PROFKIT_SANDBOX=yes "$PROFKIT" hotspots --sandbox pipe --no-sandbox -o out
state no PROFKIT_SANDBOX=no "$PROFKIT" hotspots pipe -o out
state yes PROFKIT_SANDBOX=yes LD_PRELOAD= "$PROFKIT" hotspots pipe -o /dev/fd/4
state preload LD_PRELOAD=libc.so.6 "$PROFKIT" hotspots pipe -o /dev/fd/4
state preload-yes LD_PRELOAD=libc.so.6 PROFKIT_SANDBOX=yes "$PROFKIT" hotspots pipe -o /dev/fd/4
PROFKIT_SANDBOX=perhaps profkit hotspots "$TESTDATA/example/before.prof" || echo "status $?"
