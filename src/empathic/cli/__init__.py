"""The program. One module a command; this one knows their names, the options that all share, and how errors end."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.config import Dict, Env

from empathic import __version__

__all__ = ["app", "let_speak", "main"]

INTERRUPTED = 130
USER_CONFIG = "config.toml"
PROJECT_CONFIG = "empathic.toml"


class _Config:
    """`--config FILE`, else `empathic.toml` here or above, then the user's own; flags and `EMPATHIC_*` win."""

    def __init__(self) -> None:
        self.named: Path | None = None

    def __call__(self, app: App, commands: tuple[str, ...], arguments: Any) -> None:
        for path, tables in self.read():
            Dict(tables, source=str(path))(app, commands, arguments)

    def read(self) -> list[tuple[Path, dict[str, Any]]]:
        """The files that apply, the weightiest first, with what stands in them."""
        import tomllib

        from empathic.errors import UsageError

        found = []
        for path in self._paths():
            try:
                found.append((path, tomllib.loads(path.read_text(encoding="utf-8"))))
            except OSError as error:
                raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
            except ValueError as error:  # broken TOML, or no text at all
                raise UsageError(f"{path}: not TOML: {error}") from error
        return found

    def _paths(self) -> list[Path]:
        if self.named is not None:
            return [self.named]
        from platformdirs import user_config_path

        here = Path.cwd()
        above = next(
            (each / PROJECT_CONFIG for each in (here, *here.parents) if (each / PROJECT_CONFIG).is_file()), None
        )
        user = user_config_path("empathic") / USER_CONFIG
        return [path for path in (above, user) if path is not None and path.is_file()]


def _shown(default: Any) -> str | None:
    """A default worth showing; an option that is off by default says enough by standing there."""
    return None if default is None or default is False or default == () else str(default)


ONE_LINE = {
    "annotate": "Read factors off what people say: emotions, intents, acts, mechanisms, causes.",
    "chat": "Talk in the terminal, or answer standard input line by line.",
    "compare": "Compare responders' runs on the same items, with marks for what is hardly chance.",
    "evaluate": "Measure what responders' runs left of a split: perplexities, labels, replies, plans.",
    "generate": "Reply to every context of a corpus's split, beside what people replied.",
    "report": "Write one page about responders' runs: figures, curves, emotions, samples.",
    "score": "Measure replies beside what people said in their place.",
    "sweep": "Train several recipes, or one under several settings: a run for each of all that can be combined.",
    "train": "Train a model by a recipe; without a recipe, list those that come with the package.",
}
"""Commands that are one function each, and a line about each: the list of commands needs no more, and loads none."""
# Joins the lines of a paragraph; what lists the commands alone needs none of it, and starts sooner without.
_JOINED = "markdown"

_config = _Config()
_shared = Group("Shared options", sort_key=1)

app = App(
    name="empathic",
    help="Empathetic dialogue: perceive what a person feels and why, plan how to respond, respond, measure.",
    version=f"empathic {__version__}",
    help_format="plaintext",
    config=[Env("EMPATHIC_", show=False), _config],
    default_parameter=Parameter(negative=(), show_default=_shown),
    result_action="return_value",
)
app.meta.config = [Env("EMPATHIC_", show=False)]  # which files are to be read is known only once it has run
app.command("empathic.cli.analyze:app", name="analyze", help="See how what was perceived hangs together.")
app.command("empathic.cli.data:app", name="data", help="Read, look at, check, convert and download corpora.")
app.command("empathic.cli.models:app", name="models", help="List, download and verify models and base weights.")
for _name, _line in ONE_LINE.items():
    app.command(f"empathic.cli.{_name}:{_name}", name=_name, help=_line, help_format=_JOINED)


@app.meta.default
def _launch(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    config: Annotated[Path | None, Parameter(env_var="EMPATHIC_CONFIG", group=_shared)] = None,
    data_folder: Annotated[Path | None, Parameter(env_var="EMPATHIC_DATA", group=_shared)] = None,
    debug: Annotated[bool, Parameter(env_var="EMPATHIC_DEBUG", group=_shared)] = False,
) -> Any:
    """Runs a command.

    Args:
        tokens: The command and its own options.
        config: A TOML file with a table a command, such as [chat] or [data.show], whose keys are the options' names.
        data_folder: Where corpora are looked for and downloaded to.
        debug: Show the whole traceback of an error.
    """
    _config.named = config
    for path, tables in _config.read():
        _require_known(tables, path, app, ())
    if data_folder is None:
        named = (tables["data-folder"] for _, tables in _config.read() if "data-folder" in tables)
        data_folder = next((Path(folder) for folder in named), None)
    if data_folder is not None:
        os.environ["EMPATHIC_DATA"] = str(data_folder)
    if debug:
        os.environ["EMPATHIC_DEBUG"] = "true"
    return app(tokens, exit_on_error=False, print_error=False)


def _require_known(tables: dict[str, Any], path: Path, command: App, above: tuple[str, ...]) -> None:
    """Refuses a table of a command that does not exist; keys of a command's own are held against its options later."""
    from empathic.errors import UsageError, nearest

    commands = [name for name in command if not name.startswith("-")]
    for name, value in tables.items():
        if name in commands and isinstance(value, dict):
            if any(not inner.startswith("-") for inner in command[name]):
                _require_known(value, path, command[name], (*above, name))
        elif name in commands:
            raise UsageError(f"{path}: {'.'.join((*above, name))!r} must be a table, [{'.'.join((*above, name))}]")
        elif name == "data-folder" and not above:
            if not isinstance(value, str):
                raise UsageError(f"{path}: 'data-folder' must be text, the path of a folder")
        else:
            known = commands if above else [*commands, "data-folder"]
            raise UsageError(f"{path}: nothing is called {'.'.join((*above, name))!r}; {nearest(name, known)}")


def main(arguments: list[str] | None = None) -> None:
    """Runs the program and exits: 0 fine, 1 a problem in the data or the result, 2 usage, 130 interrupted."""
    _have_streams()
    for name in [name for name, value in os.environ.items() if name.startswith("EMPATHIC_") and not value]:
        del os.environ[name]  # set to nothing is not set
    sys.exit(_run(sys.argv[1:] if arguments is None else arguments))


def let_speak(arguments: Sequence[str]) -> None:
    """Lets the command that is named say all of what it says of itself, and not its one line."""
    for name in arguments:
        if name in ONE_LINE:
            app[name].help = None
            return


def _have_streams() -> None:
    """A stream that whoever called has closed is an empty one, and no character is too much for the others."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 (as long as the program runs)
        elif mode == "w" and isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _run(arguments: list[str]) -> int:
    from empathic.errors import EmpathicError

    let_speak(arguments)
    try:
        result = app.meta(arguments, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except CycloptsError as error:
        return _fail(str(error), 2)
    except EmpathicError as error:
        if _debugging(arguments):
            raise
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has read enough (`empathic data show ... | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if _debugging(arguments):
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            return _fail("what was to be printed cannot be written: no space is left there", 1)
        kind = type(error).__name__
        return _fail(f"unexpected {kind}: {str(error)[:300]} (run it again with --debug and report what it prints)", 1)
    return result if isinstance(result, int) else 0


def _debugging(arguments: list[str]) -> bool:
    return "--debug" in arguments or os.environ.get("EMPATHIC_DEBUG", "").lower() in ("1", "true", "yes")


def _fail(message: str, code: int) -> int:
    print("empathic: " + " ".join(message.split()), file=sys.stderr)
    return code
