# A thread within a stack is no frame: what it stands in goes on without it.
cat > thread.pyisession <<'EOF'
{"frame_records": [[["MainThread\u0000<thread>\u00007", "main\u0000app.py\u00001",
"Other\u0000<thread>\u00008", "work\u0000app.py\u00005"], 0.125]], "start_time": 1.0, "duration": 0.125,
"sample_count": 1, "start_call_stack": ["MainThread\u0000<thread>\u00007"], "program": "app.py", "cpu_time": 0.1}
EOF
profkit convert -q -f pyinstrument thread.pyisession --to folded -o -
