"""check_slicer.py ALADDIN: the description of every command is what 3D Slicer's execution model reads."""
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

HEAD = ["category", "title", "description", "version", "documentation-url", "license", "contributor"]
TYPES = {"boolean", "integer", "double", "string", "string-enumeration", "file", "directory", "image"}
ORDER = ["name", "flag", "longflag", "index", "description", "label", "default", "channel", "element"]


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


aladdin = sys.argv[1]
listed = output(aladdin, "--help").split("commands:\n")[1].split("\n\n")[0]
commands = re.findall(r"^  ([a-z]+) ", listed, re.M)
assert len(commands) > 10, commands
for command in commands:
    root = tree.fromstring(output(aladdin, command, "--xml").encode())
    children = [child.tag for child in root]
    assert children[:7] == HEAD and set(children[7:]) == {"parameters"}, (command, children)
    names, indices, flags = [], [], []
    for group in root.findall("parameters"):
        assert [group[0].tag, group[1].tag] == ["label", "description"], command
        for one in group[2:]:
            where = (command, one.findtext("name"))
            assert one.tag in TYPES, where
            places = [ORDER.index(child.tag) for child in one]
            assert places == sorted(places), where
            assert one.tag not in ("boolean", "string-enumeration") or "multiple" not in one.attrib, where
            assert re.fullmatch(r"[A-Za-z_]\w*", one.findtext("name")), where
            assert one.findtext("label") and one.findtext("description"), where
            names.append(one.findtext("name"))
            flags += ["--" + flag.text for flag in one.findall("longflag")]
            assert (one.find("index") is None) == (one.find("flag") is not None or one.find("longflag") is not None), where
            if one.find("index") is not None:
                indices.append(int(one.findtext("index")))
            default = one.findtext("default")
            if one.tag in ("integer", "double"):
                float(default)
            if one.tag == "string-enumeration":
                assert default in [element.text for element in one.findall("element")], where
            if one.tag in ("image", "file", "directory"):
                assert one.findtext("channel") in ("input", "output"), where
    assert len(set(names)) == len(names), (command, names)
    assert indices == list(range(len(indices))), (command, indices)
    shown = output(aladdin, command, "--help").split("\nflags:\n")[1].split("\nexamples:")[0]
    declared = re.findall(r"^  (?:-[a-z], )?(--[a-z0-9-]+)", shown, re.M)
    assert sorted(flags) == sorted(set(declared) - {"--help"}), (command, flags, declared)
print(len(commands), "commands")
