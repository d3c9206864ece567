# Arguments are those of the row: kernels differ in their grid, their block, and an id too long for the patterns of arguments.
cp "$TESTDATA/nsys/two-gpus.sqlite" args.sqlite
sql args.sqlite "update CUPTI_ACTIVITY_KIND_KERNEL set registersPerThread = rowid, gridX = rowid % 3, blockY = rowid % 2,
	graphNodeId = case rowid % 4 when 2 then 1000000000000000000 + rowid when 0 then rowid end"
profkit query -q --format csv "select registers.value, grid.value, block.value, node.value from argument registers
	join argument grid on grid.row = registers.row and grid.key = 'grid'
	join argument block on block.row = registers.row and block.key = 'block'
	left join argument node on node.row = registers.row and node.key = 'graph node id'
	where registers.key = 'registers per thread' order by 1" args.sqlite
