"""A program to profile: it reads Python's own sources as text and makes an index and a
report of them, in many functions that do real work.

    workload.py [--slow FUNCTION] [--repeat N]

--slow makes one of the functions in SLOWABLE do its work 1.2 times (for every fifth item
again), which is 20 % more of the time of that function itself.
"""
import argparse
import difflib
import json.decoder
import json.encoder
import os
import re
import string
import textwrap

FILES = ["abc", "bdb", "calendar", "cmd", "csv"]
slow = None


def read_sources():
    folder = os.path.dirname(string.__file__)
    texts = []
    for name in FILES:
        with open(os.path.join(folder, name + ".py"), encoding="utf-8") as f:
            texts.append(f.read())
    return texts


def count_letters(lines):
    counts = {}
    for line in lines + (lines[::5] if slow == "count_letters" else []):
        for letter in line:
            counts[letter] = counts.get(letter, 0) + 1
    return counts


def checksum(lines):
    a, b = 1, 0
    for line in lines + (lines[::5] if slow == "checksum" else []):
        for byte in line.encode():
            a = (a + byte) % 65521
            b = (b + a) % 65521
    return b << 16 | a


def indentation(lines):
    levels = []
    for line in lines + (lines[::5] if slow == "indentation" else []):
        depth = 0
        for c in line:
            if c == " ":
                depth += 1
            elif c == "\t":
                depth += 8
            else:
                break
        levels.append(depth // 4)
    return levels


def split_words(lines):
    words = []
    for line in lines:
        word = ""
        for c in line:
            if c.isalnum() or c == "_":
                word += c
            elif word:
                words.append(word)
                word = ""
        if word:
            words.append(word)
    return words


def stem(words):
    stems = []
    for word in words + (words[::5] if slow == "stem" else []):
        low = word.lower()
        for suffix in ("ing", "ed", "es", "s", "er", "ly", "tion"):
            if low.endswith(suffix) and len(low) > len(suffix) + 2:
                low = low[: -len(suffix)]
                break
        stems.append(low)
    return stems[: len(words)]


def index(words):
    places = {}
    for number, word in enumerate(words + (words[::5] if slow == "index" else [])):
        if word in places:
            places[word].append(number)
        else:
            places[word] = [number]
    return places


def trigrams(words):
    counts = {}
    for word in words + (words[::5] if slow == "trigrams" else []):
        for i in range(len(word) - 2):
            key = word[i : i + 3]
            counts[key] = counts.get(key, 0) + 1
    return counts


def rank(counts):
    order = sorted(counts, key=counts.get, reverse=True)
    ranks = {}
    for place, word in enumerate(order):
        ranks[word] = place
        ranks[word.upper()] = place
        ranks[word[::-1]] = place
    return ranks


def entropy(words):
    total = 0
    for word in words + (words[::5] if slow == "entropy" else []):
        seen = 0
        for c in word:
            seen |= 1 << (ord(c) & 63)
        total += bin(seen).count("1")
    return total


def run_lengths(lines):
    out = []
    for line in lines + (lines[::5] if slow == "run_lengths" else []):
        last, length = "", 0
        for c in line:
            if c == last:
                length += 1
            else:
                if length > 3:
                    out.append((last, length))
                last, length = c, 1
    return out


def hash_words(words):
    table = [0] * 1024
    for word in words + (words[::5] if slow == "hash_words" else []):
        h = 5381
        for c in word:
            h = (h * 33 ^ ord(c)) & 0xFFFFFFFF
        table[h % 1024] += 1
    return table


def distances(words):
    total = 0
    pairs = list(zip(words, words[1:]))
    for a, b in pairs + (pairs[::5] if slow == "distances" else []):
        row = list(range(len(b) + 1))
        for i, x in enumerate(a, 1):
            last, row[0] = row[0], i
            for j, y in enumerate(b, 1):
                last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
        total += row[-1]
    return total


def compare(texts):
    ratios = []
    for a, b in zip(texts, texts[1:]):
        matcher = difflib.SequenceMatcher(None, a[:1500], b[:1500])
        ratios.append(round(matcher.ratio(), 3))
    return ratios


def report(data):
    encode = json.encoder._make_iterencode(
        None, None, json.encoder.py_encode_basestring_ascii, None, float.__repr__,
        ": ", ", ", False, False, True)
    text = "".join(encode(data, 0))
    return textwrap.wrap(text[:20000], 72)


SLOWABLE = [count_letters, checksum, indentation, stem, index, trigrams, entropy, run_lengths,
            hash_words, distances]


def process(text):
    lines = text.splitlines()
    words = split_words(lines)
    count_letters(lines)
    checksum(lines)
    indentation(lines)
    stems = stem(words * 3)
    places = index(stems * 4)
    trigrams(words)
    rank({word: len(where) for word, where in places.items()})
    entropy(words)
    run_lengths(lines)
    hash_words(words)
    distances(words[::12])
    re.findall(r"def (\w+)\(", text)
    return {"lines": len(lines), "words": len(words), "distinct": len(places),
            "sample": sorted(places)[:200]}


def main():
    global slow
    parser = argparse.ArgumentParser()
    parser.add_argument("--slow", choices=[f.__name__ for f in SLOWABLE])
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()
    slow = args.slow
    for _ in range(args.repeat):
        texts = read_sources()
        compare(texts)
        report([process(text) for text in texts])


if __name__ == "__main__":
    main()
