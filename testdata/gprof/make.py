#!/usr/bin/env python3
"""Makes the fixtures of this folder that record.sh does not make."""
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))
GRAPH = "index % time    self  children    called     name\n"
DASHES = "-----------------------------------------------\n"
FILES = {
    # Two static functions of one name, a name with blanks and brackets, a function that only its caller shows,
    # lines that are broken, the end of the file within an entry.
    "odd.txt": "\t\t\tCall graph\n\n\ngranularity: each sample hit covers 2 byte(s) for 1.00% of 1.00 seconds\n\n" + GRAPH +
    """                                                 <spontaneous>
[1]    100.0    0.25    0.75                 main [1]
                0.25    0.00     100/100         init [2]
                0.25    0.00      50/50          init [3]
                0.20    0.05       3/3           std::vector<int>::at(unsigned long) const [4]
                0.00    0.00       1/9           hidden (5)
""" + DASHES + """                0.25    0.00     100/100         main [1]
[2]     25.0    0.25    0.00     100         init [2]
""" + DASHES + """                0.25    0.00      50/50          main [1]
[3]     25.0    0.25    0.00      50         init [3]
""" + DASHES + """nothing of this is a number
[4]
[5]     12.0    zero    0.10       1         x [5]
                0.20    0.05       3/3           main [1]
[4]     25.0    0.20    0.05       3         std::vector<int>::at(unsigned long) const [4]
                0.05    0.00""",
    # Cycles of a processor instead of seconds, in thousands.
    "cycles.txt": """Flat profile:
                                         self      total
     cumulative       self             cycles     cycles
  %      cycles     cycles    calls     /call      /call  name
           (K)        (K)                (K)        (K)
75.00   1500.00    1500.00     1000      1.50       1.75  copy
25.00   2000.00     500.00                                idle

""",
    # A call graph of cycles of a processor. What the callers of leaf have is rounded: they have more than all of it.
    "cycles-graph.txt": """index    %      self  children    called     name
                (K)     (K)
                                                 <spontaneous>
[1]    100.0    0.21    1.58                 main [1]
                0.40    0.00     100/200         leaf [2]
                0.40    0.39      10/10          odd <cycle 1> [3]
""" + DASHES + """                0.40    0.00     100/200         main [1]
                0.40    0.00     100/200         even <cycle 1> [4]
[2]     44.1    0.79    0.00     200         leaf [2]
""" + DASHES + """                                  20             even <cycle 1> [4]
                0.40    0.39      10/10          main [1]
[3]     22.3    0.30    0.00      30         odd <cycle 1> [3]
                                  20             even <cycle 1> [4]
""" + DASHES + """                                  20             odd <cycle 1> [3]
[4]     27.9    0.10    0.40      20         even <cycle 1> [4]
                0.40    0.00     100/200         leaf [2]
                                  20             odd <cycle 1> [3]
""" + DASHES,
    "bad/no-time.txt": """Flat profile:

Each sample counts as 0.01 seconds.
 no time accumulated

  %   cumulative   self              self     total           
 time   seconds   seconds    calls  Ts/call  Ts/call  name    

""",
    "bad/graph.txt": GRAPH + DASHES,
}
for name, text in FILES.items():
    with open(name, "w") as f:
        f.write(text)
