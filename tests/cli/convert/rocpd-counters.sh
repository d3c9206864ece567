# Counts of a kernel whose sum is beyond what a double holds are left out: they are no JSON.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
python3 - "$TESTDATA/rocpd/two-gpus.db" large.db <<'EOF'
import shutil, sqlite3, sys

shutil.copy(sys.argv[1], sys.argv[2])
with sqlite3.connect(sys.argv[2]) as db:
    table = next(name for name, in db.execute("SELECT name FROM sqlite_master WHERE name GLOB 'rocpd_pmc_event*'"))
    db.execute(f"UPDATE {table} SET value = 1.7e308 WHERE pmc_id = 1")
EOF
profkit convert -q -t chrome -o large.json large.db
python3 -m json.tool large.json >/dev/null
grep -c '"GRBM_BUSY": *0.5' large.json
grep -c SQ_WAVES large.json || true
profkit info large.db 2>&1 | grep "sum of a counter"
