profkit formats folded
