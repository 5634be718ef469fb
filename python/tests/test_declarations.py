"""Nothing that the program can do is missing here, or out of date."""

import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import aladdin
from aladdin import _commands, _core, _invoke

GENERATOR = Path(__file__).resolve().parent.parent / "tools" / "generate.py"
COMMANDS = [command for command in _core.commands() if not command["hidden"]]


def names_of(command):
    return {_invoke.parameter_name(flag) for flag in command["flags"]} - set(_invoke.OF_THE_COMMAND_LINE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["name"])
def test_every_command_has_a_function_with_every_setting(command):
    name = command["name"]
    if name in _invoke.WITHOUT_FUNCTION:
        pytest.skip("a command of the shell")
    function = getattr(aladdin, name)
    taken = set(inspect.signature(function).parameters)
    if name == "build":
        taken.add("dry_run")  # plan()
    assert names_of(command) - taken == set()
    assert taken - names_of(command) <= {"progress", "image" if name == "warp" else "progress"}


def test_a_dry_run_is_plan(knees, needs_training):
    text = aladdin.plan(knees, spacing=8, settings={"train.epochs": [1, 1, 1]})
    assert "working grid" in text and "memory" in text


def test_every_setting_of_a_build_is_a_key_of_settings():
    keys = [one.key for one in aladdin.settings()]
    assert list(typing.get_type_hints(aladdin.Settings)) == keys
    assert len(keys) > 40


@pytest.mark.parametrize("setting", aladdin.settings(), ids=lambda setting: setting.key)
def test_every_setting_reaches_the_build(setting, knees, tmp_path):
    if setting.type == "str" and not setting.choices:
        pytest.skip("any text is a value")
    with pytest.raises(aladdin.UsageError, match=setting.key.replace(".", r"\.")):
        aladdin.build(knees, output=tmp_path / "run", settings={setting.key: "§"})


def test_a_setting_that_is_not_there_names_the_nearest(knees, tmp_path):
    with pytest.raises(aladdin.UsageError, match="did you mean 'train.rate'"):
        aladdin.build(knees, output=tmp_path / "run", settings={"train.rat": 1})


def test_choices_are_those_of_the_declaration():
    kind = _commands.evaluate.__annotations__["split"].replace('"', "'")
    assert kind == "Optional[Literal['train', 'val', 'test', 'all']]"


def test_the_generated_file_is_fresh():
    done = subprocess.run([sys.executable, GENERATOR, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_stub_of_the_extension_has_every_name():
    import ast

    stub = ast.parse((Path(aladdin.__file__).parent / "_core.pyi").read_text())
    described = {
        node.name if isinstance(node, (ast.ClassDef, ast.FunctionDef)) else node.target.id
        for node in stub.body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AnnAssign))
    }
    assert described == {name for name in dir(_core) if not name.startswith("__")}
    for node in stub.body:
        if not isinstance(node, ast.ClassDef):
            continue
        members = {one.name if isinstance(one, ast.FunctionDef) else one.target.id for one in node.body if hasattr(one, "name") or hasattr(one, "target")}
        there = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}
        assert there <= members, node.name


def test_every_public_function_says_what_it_does():
    for name in aladdin.__all__:
        thing = getattr(aladdin, name)
        assert inspect.getdoc(thing), name
