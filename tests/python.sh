# Runs a test that is written in Python; where there is no Python, the test is skipped.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
exec python3 "$@"
