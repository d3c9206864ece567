# The functions that asv run --profile kept of a benchmark are a profile of their own.
cd "$TESTDATA/asv"
profkit hotspots -O profile=work.time_parse profiled.json
status 2 profkit hotspots -O profile=work.time_none profiled.json
status 2 profkit hotspots -O profile=words.time_sum plain.json
profkit query profiled.json "SELECT key, value FROM argument WHERE key = 'profile'"
sed 's/"eJ/"eK/' profiled.json >"$OLDPWD/damaged.json"
sed 's/"eJ[^"]*/"eJyrrgUAAXUA+Q==/' profiled.json >"$OLDPWD/other.json"
cd "$OLDPWD"
status 2 profkit hotspots -O profile=work.time_parse damaged.json
status 2 profkit hotspots -O profile=work.time_parse other.json
