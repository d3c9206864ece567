#!/bin/bash
# All command-line tests in the sandbox, and all without it; the default runs with make check. For
# make check-sandbox, where the system has one: a command that cannot enter it fails.
set -eu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for sandbox in yes no; do
    PROFKIT_SANDBOX=$sandbox "$(dirname "$0")/../cli/run.sh" "$@" >"$log" || {
        grep -A 20 '^not ok' "$log"
        echo "with PROFKIT_SANDBOX=$sandbox"
        exit 1
    }
    echo "PROFKIT_SANDBOX=$sandbox: $(tail -n 1 "$log")"
done
