"""A judge of its own: the answer with more words of the question is better, and in doubt the left one."""

import json
import re
import sys


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


for line in sys.stdin:
    asked = json.loads(line)
    left, right = (len(words(asked["query"]) & words(asked[side])) for side in ("left", "right"))
    print(json.dumps({"id": asked["id"], "choice": "right" if right > left else "left"}), flush=True)
