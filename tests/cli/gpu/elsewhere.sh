# Devices that are no GPUs of NVIDIA or AMD. Intel: the host waits in urQueueFinish for 200 us of kernel and 100 us of
# copy; the collective on the other stream waits for the copy by a barrier; copies within the GPU are known as such, and
# others back to the host.
cat >xpu.json <<'END'
{"schemaVersion":1,"deviceProperties":[],"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":5,"ts":100,"dur":12,"args":{"External id":1}},
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueKernelLaunch","pid":5,"tid":5,"ts":102,"dur":8,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":0,"ts":115,"dur":200,"args":{"correlation":1,"device":0}},
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueUSMMemcpy","pid":5,"tid":5,"ts":113,"dur":3,"args":{"correlation":2}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy D2D (DEVICE -> DEVICE)","pid":0,"tid":0,"ts":317,"dur":100,"args":{"correlation":2,"device":0,"bytes":4096}},
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueEventsWaitWithBarrier","pid":5,"tid":5,"ts":117,"dur":1,"args":{"correlation":3}},
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueKernelLaunch","pid":5,"tid":5,"ts":119,"dur":4,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"oneccl_allreduce","pid":0,"tid":1,"ts":420,"dur":50,"args":{"correlation":4,"device":0}},
{"ph":"X","cat":"xpu_runtime","name":"urQueueFinish","pid":5,"tid":5,"ts":125,"dur":350,"args":{"correlation":5}},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":5,"tid":5,"ts":478,"dur":12,"args":{"External id":2}},
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueKernelLaunch","pid":5,"tid":5,"ts":480,"dur":4,"args":{"correlation":6}},
{"ph":"X","cat":"kernel","name":"add","pid":0,"tid":0,"ts":486,"dur":2,"args":{"correlation":6,"device":0}}
]}
END
profkit gpu -q --critical-path --format csv xpu.json
profkit gpu -q --critical-path xpu.json | sed '1,/^$/d; /^critical/,/^gaps/d'
profkit gpu -q xpu.json | grep -A 2 'copies that'
profkit ops -q xpu.json | grep '^waiting'
for call in urEventWait zeEventHostSynchronize zeCommandListHostSynchronize zeCommandQueueSynchronize; do
    sed "s/urQueueFinish/$call/" xpu.json >$call.json
    profkit gpu -q --critical-path --format csv $call.json | grep ^computation
done
# Back to the host.
sed 's/D2D (DEVICE -> DEVICE)/D2M (DEVICE -> MEMORY)/; /urQueueFinish/d' xpu.json >back.json
profkit ops -q back.json | grep '^waiting'
profkit gpu -q back.json | grep -A 3 -E 'copies that|launching:'
# Meta's MTIA, where copies are requests: no word of CUDA or pinned memory.
sed 's/xpu_runtime/mtia_runtime/; s/Memcpy D2M (DEVICE -> MEMORY)/dma_request/
     s/"gpu_memcpy"/"mtia_ccp_events"/; s/"kernel"/"mtia_ccp_events"/' back.json >mtia.json
profkit gpu -q mtia.json | grep -A 3 'copies that'
