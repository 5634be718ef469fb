"""slicer_words.py ALADDIN COMMAND NAME=VALUE…: the words that 3D Slicer passes, one per line.

Every parameter of the description that has a value, given here or by default, in the order of the description: flags first, then
arguments by their index. A switch is passed where it is true; what may be repeated is split at commas.
"""
import subprocess
import sys
import xml.etree.ElementTree as tree

aladdin, command, *given = sys.argv[1:]
values = dict(word.split("=", 1) for word in given)
root = tree.fromstring(subprocess.run([aladdin, command, "--xml"], check=True, capture_output=True).stdout)
words, arguments = [], {}
for one in (p for group in root.findall("parameters") for p in group if p.find("name") is not None):
    value = values.pop(one.findtext("name"), one.findtext("default") or "")
    if not value:
        continue
    parts = value.split(",") if one.get("multiple") == "true" else [value]
    if one.find("index") is not None:
        arguments[int(one.findtext("index"))] = parts
        continue
    flag = "--" + one.findtext("longflag") if one.find("longflag") is not None else "-" + one.findtext("flag")
    if one.tag == "boolean":
        words += [flag] if value == "true" else []
    else:
        words += [word for part in parts for word in (flag, part)]
assert not values, f"{command} has no parameter {list(values)}"
for index in sorted(arguments):
    words += arguments[index]
print("\n".join(words))
