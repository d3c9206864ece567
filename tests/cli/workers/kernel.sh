# Functions of the kernel, which folded stacks mark by _[k], are known to wait by their names.
printf 'main;a 50\nmain;do_nanosleep_[k] 30\n' >one.folded
printf 'main;a 50\nmain;futex_wait_queue_[k] 10\nmain;_[k] 5\n' >two.folded
profkit workers --format csv one.folded two.folded
