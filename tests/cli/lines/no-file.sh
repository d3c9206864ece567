# Functions without a file have lines, and no source is looked for.
printf 'events: Ir\nfn=f\n1 10\n2 20\nfl=a.c\nfn=g\n4 20\n' >callgrind.out.1
profkit lines callgrind.out.1
