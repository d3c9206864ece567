# speedscope opens the largest profile of the usual metric, not a thread that did next to nothing.
cat >threads.speedscope.json <<'J'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "f"}, {"name": "g"}]},
 "profiles": [
  {"type": "sampled", "name": "Thread 3", "unit": "bytes", "startValue": 0, "endValue": 5, "samples": [[0]], "weights": [5]},
  {"type": "sampled", "name": "Thread 1", "unit": "bytes", "startValue": 0, "endValue": 90, "samples": [[1]], "weights": [90]},
  {"type": "sampled", "name": "Thread 7", "unit": "bytes", "startValue": 0, "endValue": 7, "samples": [[0]], "weights": [7]}]}
J
profkit convert threads.speedscope.json opened.json
python3 -c '
import json
file = json.load(open("opened.json"))
print(file["profiles"][file["activeProfileIndex"]]["name"])'
