# Where functions end: decorators, nested functions, strings and brackets over lines, comments at the end,
# async, one line. As inspect.getblock of Python finds it.
cat >m.py <<'END'
@cached(
    size=3)
def decorated(a,
              b=(1,
                 2)):
    text = """
def no_function():
    '''
""" + '#"' \
        "it's"
    def inner():
        return a

    # a comment of the body
# one that is not
def one(): return 1
class C:
    async def method(self):
        if self:
            yield {
        1: 2}
        # the last line


    x = 1
END
printf '%s (m.py:%d) 1\n' decorated 6 inner 12 one 16 method 20 C 17 >stacks.txt
profkit lines -f py-spy stacks.txt '.*'
# No function begins in the line of a comprehension, or where the source has another name: not a line of the next one.
printf 'def total(rows):\n    used = [r for r in rows\n            if r]\n    more = 1\n    return sum(used)\n\ndef other():\n    return 1\n' >n.py
printf '<listcomp> (n.py:2) 1\nrenamed (n.py:5) 1\n' >stacks.txt
profkit lines -f py-spy stacks.txt '.*'
