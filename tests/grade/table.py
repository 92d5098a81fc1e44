"""table.py FOLDER [verdict] [exercises] [tests]: prints parts of the verdict in the folder as tables, a line for each
thing, with tabs between its fields: what common/grade/one.sh found."""

import json
import sys

folder, *parts = sys.argv[1:]
with open(f"{folder}/verdict.json", encoding="utf-8") as file:
    verdict = json.load(file)
exercises = verdict["exercises"]
tables = {
    "verdict": [[verdict["state"], sum(e["state"] == "done" for e in exercises), len(exercises),
                 sum(e["passed"] for e in exercises), sum(e["count"] for e in exercises)], [verdict["problem"]]],
    "exercises": [[e[field] for field in ("name", "state", "passed", "count", "mistake")] for e in exercises],
    # The seconds differ.
    "tests": [[e["name"]] + [test[field] for field in ("sentence", "result", "place", "said")]
              for e in exercises for test in e["tests"]],
}
for part in parts:
    for row in tables[part]:
        print(*row, sep="\t")
