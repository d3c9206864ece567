"""What recorded.json is a recording of."""
import json


class Store:
    def fill(self, count):
        self.rows = []
        for i in range(count):
            self.rows.append(bytes(200_000 + i))
        text = """
not at the end of a function < & >
"""
        return len(text)


def encode(rows):
    return [json.dumps([i] * 200) for i in range(rows)]


def main():
    kept = []
    for i in range(30):
        store = Store()
        store.fill(200)
        kept.append(store)
        encode(1500)


main()
