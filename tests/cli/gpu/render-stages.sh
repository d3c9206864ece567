# Stages of rendering in a trace of Perfetto: queues are streams, and there are no launches.
profkit gpu -q "$TESTDATA/perfetto/render-stages.pftrace"
for view in kernels idle; do
    profkit gpu -q --view $view --format csv "$TESTDATA/perfetto/render-stages.pftrace" | cut -d, -f1-9
done
profkit convert -q "$TESTDATA/perfetto/render-stages.pftrace" --to perfetto -o again.pftrace
profkit gpu -q --view breakdown --format csv again.pftrace | diff - <(profkit gpu -q --view breakdown --format csv "$TESTDATA/perfetto/render-stages.pftrace") && echo same
