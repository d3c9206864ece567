# FLOPs as torch counts them (torch/csrc/profiler/util.cpp), by hand: conv2d 2 x 2 x (4 x 5) x (3 x 3) x 3 x 4 = 8640, its
# output being (8 + 2 - 2 - 1) / 2 + 1 = 4 by (9 - 4 - 1) + 1 = 5; in two groups 2 x 2 x (6 x 6) x (3 x 3) x 4 x 4 / 2 = 10368;
# mm 2 x 2 x 3 x 4 = 48; bmm 2 x 2 x 3 x 4 x 5 = 240; one for each element of mul and add.
op() { # NAME START DIMS [CONCRETE INPUTS]
	echo "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"cat\":\"cpu_op\",\"name\":\"aten::$1\",\"ts\":$2,\"dur\":9,"
	echo "\"args\":{\"External id\":$2,\"Input Dims\":$3,\"Concrete Inputs\":${4-[]}}},"
}
{
	echo '{"schemaVersion": 1, "with_flops": 1, "record_shapes": 1, "traceEvents": ['
	op conv2d 10 '[[2,3,8,9],[4,3,3,3],[4],[],[],[],[]]' '["","","","[2, 1]","[1, 0]","[1, 2]","1"]'
	op conv2d 20 '[[2,4,8,8],[4,2,3,3],[4],[],[],[],[]]' '["","","","[1, 1]","[0, 0]","[1, 1]","2"]'
	op mm 30 '[[2,3],[3,4]]'
	op addmm 40 '[[4],[2,3],[3,4],[],[]]'
	op bmm 50 '[[2,3,4],[2,4,5]]'
	op baddbmm 60 '[[2,3,5],[2,3,4],[2,4,5],[],[]]'
	op mul 70 '[[3,4],[]]'
	op add 80 '[[5],[5],[]]'
	op bmm 90 '[[3,4],[4,5]]'
	echo '{"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":100}]}'
} >trace.json
profkit ops -q --format csv trace.json | cut -d, -f 1-2,12-
