# Items of a list stand below each other.
profkit help merge | sed -n "/stand for many files/,/Then the/p"
