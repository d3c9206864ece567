"""What recorded.txt, calls.txt and coarse.txt are reports of: --calls imports the decorator."""
import sys

if "--calls" in sys.argv:
    from memory_profiler import profile as given

    def profile(function):
        return given(function, precision=6 if function.__name__ == "fill" else 1)


@profile
def fill(count):
    blocks = []
    for i in range(count):

        blocks.append(bytearray(1 << 18))  # größer
    return blocks


@profile
def drop(blocks):
    del blocks[::2]
    return [len(b) for b in blocks
            if b]


def main():
    fill(8)
    print("between")
    drop(fill(40))


main()
