import pytest

from empathic.models.backbone import Backbone, load_backbone


@pytest.fixture(scope="session")
def backbone() -> Backbone:
    return load_backbone("smollm2-135m-instruct")
