"""A small program for memray: something that stays, something temporary, a thread, a mapping that is freed in parts."""
import ctypes
import mmap
import pathlib
import sys
import threading

import memray

libc = ctypes.CDLL(None)
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
PAGE = mmap.PAGESIZE


def temporary(size):
    for _ in range(3):
        bytearray(size)


def keep(count):
    return [bytearray(1000) for _ in range(count)]


def nested(depth):
    return nested(depth - 1) if depth else bytearray(5000)


def unmap_middle():
    area = mmap.mmap(-1, 8 * PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(area))
    libc.munmap(address + 2 * PAGE, 4 * PAGE)
    return area


def main(kept):
    kept.append(keep(4))
    temporary(70000)
    thread = threading.Thread(target=lambda: kept.append(keep(2)), name="worker")
    thread.start()
    thread.join()
    big = bytearray(200000)
    kept.append(nested(3))
    del big
    kept.append(unmap_middle())


name, options = sys.argv[1], set(sys.argv[2:])
kept = []
main([])  # loads what is loaded once
pathlib.Path(name).unlink(missing_ok=True)
with memray.Tracker(destination=memray.FileDestination(name, overwrite=True, compress_on_exit="lz4" in options),
                    native_traces="native" in options, trace_python_allocators="pymalloc" in options,
                    file_format=memray.FileFormat.AGGREGATED_ALLOCATIONS if "sums" in options
                    else memray.FileFormat.ALL_ALLOCATIONS):
    main(kept)
