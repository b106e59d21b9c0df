"""Writes hive-vectors.json: what Python's quote makes of a few thousand texts. Run once, by hand."""
import hashlib
import json
import random
from urllib.parse import quote


def encode(value):
    return quote(value, safe="-_~").replace(".", "%2E")


def text(rng):
    kinds = [
        lambda: chr(rng.randrange(0x20, 0x7F)),
        lambda: chr(rng.randrange(0x00, 0x100)),
        lambda: chr(rng.randrange(0x100, 0xD800)),
        lambda: chr(rng.randrange(0xE000, 0x10000)),
        lambda: chr(rng.randrange(0x10000, 0x110000)),
        lambda: rng.choice("!'()*.-_~%+/\\ @:=&?#\"<>|\u202e\u0301\ufeff\ufffd\U0001f600"),
    ]
    return "".join(rng.choice(kinds)() for _ in range(rng.randrange(0, 24)))


def address(rng):
    word = lambda n: "".join(rng.choice("abcxyz019-_~.+'") for _ in range(n))
    return f"{word(rng.randrange(1, 20))}@{word(rng.randrange(1, 12))}.{rng.choice(['com', 'co.uk', 'de'])}"


rng = random.Random(20261115)
stated = ["", "john.doe@company.com", "a+b_c-d~e@x.co", "O'Brien (desk)*!@x.com", "josé@x.com", "a b/c@x.com"]
values = stated + [address(rng) for _ in range(1000)] + [text(rng) for _ in range(2000)]
whole = hashlib.sha256()
for point in range(0x110000):
    if not 0xD800 <= point < 0xE000:
        whole.update(encode(chr(point)).encode("ascii") + b"\n")
with open("hive-vectors.json", "w", encoding="ascii") as out:
    json.dump({"everyCodePointSha256": whole.hexdigest(), "pairs": [[v, encode(v)] for v in values]}, out, indent=0)
    out.write("\n")
