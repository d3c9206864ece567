# What is odd in an export of Nsight Systems is counted and said: a correlation id that a second call has, a kernel that begins
# before the call that launched it, a table that a later version may have. A column that is not known changes nothing.
cp "$TESTDATA/nsys/two-gpus.sqlite" odd.sqlite
profkit gpu -q --view breakdown --format csv odd.sqlite >before.csv
sql odd.sqlite "alter table CUPTI_ACTIVITY_KIND_KERNEL add column waves integer;
	update CUPTI_ACTIVITY_KIND_KERNEL set waves = 7;
	create table CUPTI_ACTIVITY_KIND_DREAM (start integer, end integer);
	insert into CUPTI_ACTIVITY_KIND_DREAM values (1, 2)"
profkit gpu -q --view breakdown --format csv odd.sqlite | cmp - before.csv
profkit gpu -q --view breakdown odd.sqlite | tail -n +6
# a call is there twice, with one id; the first kernel with a call begins 1 ns before that call
sql odd.sqlite "insert into CUPTI_ACTIVITY_KIND_RUNTIME select * from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId in
		(select correlationId from CUPTI_ACTIVITY_KIND_KERNEL) order by start limit 1;
	update CUPTI_ACTIVITY_KIND_KERNEL set start = (select max(r.start) - 1 from CUPTI_ACTIVITY_KIND_RUNTIME r
			where r.correlationId = CUPTI_ACTIVITY_KIND_KERNEL.correlationId)
		where rowid = (select min(k.rowid) from CUPTI_ACTIVITY_KIND_KERNEL k join CUPTI_ACTIVITY_KIND_RUNTIME r using (correlationId))"
profkit gpu -q --view breakdown odd.sqlite | tail -n +6
profkit gpu -q --view steps --format csv odd.sqlite | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    parts = "computation exposed_communication exposed_copies launch data_loading host_wait kernel_wait other_idle".split()
    print(sum(int(row[p]) for p in parts) - int(row["time"]), "ns are missing")'
# columns that another version may not have
without() { # COLUMN...: a copy without them
    cp odd.sqlite less.sqlite
    for column; do sql less.sqlite "alter table ${column%.*} rename column ${column#*.} to other_${column#*.}"; done
}
without CUPTI_ACTIVITY_KIND_KERNEL.streamId CUPTI_ACTIVITY_KIND_MEMCPY.bytes CUPTI_ACTIVITY_KIND_KERNEL.staticSharedMemory
profkit gpu --view breakdown less.sqlite 2>&1 >breakdown
status 2 profkit gpu -q --strict less.sqlite
without CUPTI_ACTIVITY_KIND_KERNEL.globalPid NVTX_EVENTS.eventType
profkit gpu --view breakdown less.sqlite 2>&1 >breakdown
# of one process, no kernel needs to say which
sql less.sqlite "delete from CUPTI_ACTIVITY_KIND_RUNTIME where globalTid >> 24 > (select min(globalTid >> 24) from CUPTI_ACTIVITY_KIND_RUNTIME);
	drop table NVTX_EVENTS"
profkit gpu --view breakdown less.sqlite 2>&1 >breakdown
# without calls, no work has a launch
sql odd.sqlite "drop table CUPTI_ACTIVITY_KIND_RUNTIME"
profkit gpu -q --view breakdown odd.sqlite | tail -n +6
