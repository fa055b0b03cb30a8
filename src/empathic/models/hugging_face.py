"""What Hugging Face's loaders are asked to load, looked at before they are: a clear answer, and a quick one."""

from __future__ import annotations

import os
from pathlib import Path

from empathic.artifacts import BASES, is_model_folder, read_manifest, refuse_pickles
from empathic.errors import ArtifactError, nearest

__all__ = ["require_loadable"]


def require_loadable(name: str, sort: str) -> None:
    """Says why `name` is no folder or hub model of that sort, where that can be seen without loading it."""
    if Path(name).is_dir():
        _require_safetensors(Path(name), sort)
    elif Path(name).is_file():
        refuse_pickles(Path(name))
        raise ArtifactError(f"{name} is a file; {sort} is a folder in Hugging Face's layout")
    else:
        _require_on_hub(name)


def _require_safetensors(folder: Path, sort: str) -> None:
    """Says why a folder cannot be one of Hugging Face's with weights that may be opened."""
    if not any(folder.glob("*.safetensors")):
        refuse_pickles(folder)
        raise ArtifactError(f"{folder} cannot be {sort}: there are no safetensors in it")
    if is_model_folder(folder):
        kind = read_manifest(folder).kind
        raise ArtifactError(f"{folder} holds a model of kind {kind!r}; {sort} is needed here")


def _require_on_hub(name: str) -> None:
    """Asks the hub once and briefly; left to itself, the loader would try again for most of a minute."""
    import httpx
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return
        hub = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
        answer = httpx.head(f"{hub}/{name}/resolve/main/config.json", timeout=10, follow_redirects=True)
        reason = None if answer.is_success else f"and the hub answers {answer.status_code}"
    except HFValidationError:
        reason = "and no name that the hub could know"
    except httpx.HTTPError as error:
        reason = f"and the hub cannot be reached: {error}"
    if reason is not None:
        raise ArtifactError(f"{name} is no folder, no base weights, {reason}; {nearest(name, BASES)}")
