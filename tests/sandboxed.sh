#!/bin/bash
# All command-line tests, with --sandbox given to every command that has it: make check-sandbox.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/profkit" <<END
#!/bin/bash
if "$PROFKIT" "\${1-}" --help 2>/dev/null | grep -q -e '--sandbox'; then
    exec "$PROFKIT" "\$1" --sandbox "\${@:2}"
elif [ -e "\${1-}" ]; then
    exec "$PROFKIT" --sandbox "\$@"
fi
exec "$PROFKIT" "\$@"
END
chmod +x "$folder/profkit"
PROFKIT=$folder/profkit "$(dirname "$0")/cli/run.sh" "$@" >"$folder/log" || {
    grep -A 20 '^not ok' "$folder/log"
    exit 1
}
tail -n 1 "$folder/log"
