profkit --help
profkit -h >short
profkit --help >long
cmp short long
