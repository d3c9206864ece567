"""A report on orders: reads lines of text, totals them by customer, writes JSON.

A small program with something to find in its profile: prices are looked up in a list.
With "--index" they are looked up in a dictionary.
"""
import json
import random
import re
import sys

LINE = re.compile(r"(?P<day>\d+) (?P<customer>\w+) (?P<item>\w+) (?P<count>\d+)")


def make_orders(count):
    source = random.Random(1)
    for number in range(count):
        yield "%d customer%d item%d %d" % (
            number // 50, source.randrange(40), source.randrange(400), source.randrange(1, 9))


def parse(lines):
    orders = []
    for line in lines:
        match = LINE.match(line)
        if match:
            orders.append((match["customer"], match["item"], int(match["count"])))
    return orders


def price_of(prices, item):
    for name, price in prices:
        if name == item:
            return price
    raise KeyError(item)


def price_from_index(prices, item):
    return prices[item]


def total_by_customer(orders, prices, look_up):
    totals = {}
    for customer, item, count in orders:
        totals[customer] = totals.get(customer, 0) + count * look_up(prices, item)
    return totals


def render(totals):
    rows = sorted(totals.items(), key=lambda row: -row[1])
    return json.dumps([{"customer": name, "total": total} for name, total in rows], indent=1)


def main():
    prices = [("item%d" % number, number % 97 + 1) for number in range(400)]
    orders = parse(make_orders(12000))
    if "--index" in sys.argv:
        totals = total_by_customer(orders, dict(prices), price_from_index)
    else:
        totals = total_by_customer(orders, prices, price_of)
    return render(totals)


if __name__ == "__main__":
    main()
