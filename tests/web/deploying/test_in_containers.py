"""The Containerfile and the compose file of the docs: what their commands start works, and needs no rights for it.

No container engine is needed: the commands run as the image would run them, with its variables, in an empty folder,
with a database and a bucket of their own in the place of those that the compose file starts beside them.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.web.a_proxy import DEPLOY
from tests.web.buckets import Bucket, a_bucket
from tests.web.own_database import OwnDatabase
from tests.web.working.test_running_apart import LISTENS, Part, Web
from tests.web.working.test_serving import PATIENCE, TOPRUNG, clean_environment, left_of, wait_for

from toprung.web.core.config.environment import VARIABLES

ORDINARY = 1000
OF_THE_IMAGE = ("migrate", "web", "worker")
SECRETS = {
    "TOPRUNG_URL": "http://localhost:8000",
    "TOPRUNG_SECRET_KEY": "only-for-tests-" + "x" * 32,
    "TOPRUNG_SIGNING_KEY": "b25seS1mb3ItdGVzdHMtb25seS1mb3ItdGVzdHMtMzI=",
    "DATABASE_PASSWORD": "only-for-tests",
    "STORAGE_PASSWORD": "only-for-tests",
}
FILLED = re.compile(r"\$\{(\w+)(:\?[^}]*)?\}")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return found


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with a_bucket() as bucket:
        yield bucket


def variables_of(service: dict[str, Any]) -> dict[str, str]:
    """As compose fills them in."""
    said = service["environment"]
    return {name: FILLED.sub(lambda found: SECRETS[found[1]], str(value)) for name, value in said.items()}


@functools.cache
def as_ordinary_user() -> list[str]:
    """What to put before a command so that an ordinary user runs it, also where root runs the tests.

    In a namespace of its own the user has another number and no capability, and reaches what root's Python consists of,
    which may stand in a folder that nobody else may enter.
    """
    if os.geteuid() != 0:
        return []
    before = ["unshare", "--user", f"--map-user={ORDINARY}", f"--map-group={ORDINARY}"]
    tried = subprocess.run([*before, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        why = tried.stderr.strip()
        pytest.skip(
            f"NO NAMESPACE ({why}): as root it is NOT CHECKED that an ordinary user can run what the image runs."
        )
    return before


def test_who_runs_the_parts_here_is_not_root_and_has_no_rights_of_root() -> None:
    asked = (
        "import os; print(*os.getresuid(), *os.getresgid(), *os.getgroups()); print(open('/proc/self/status').read())"
    )
    done = subprocess.run(
        [*as_ordinary_user(), sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    numbers, _, status = done.stdout.partition("\n")
    assert 0 not in map(int, numbers.split())
    assert re.findall(r"^Cap(?:Prm|Eff|Amb):\s*(\w+)$", status, re.MULTILINE) == ["0" * 16] * 3


def test_the_variables_are_those_that_a_server_reads(services: dict[str, Any]) -> None:
    for name in OF_THE_IMAGE:
        assert set(services[name]["environment"]) <= set(VARIABLES)
        assert services[name]["image"] == "toprung"


def test_every_image_from_elsewhere_has_a_fixed_tag(services: dict[str, Any]) -> None:
    """Without a tag, or with ``latest``, the same file starts another server next month."""
    built = re.findall(r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    images = [service["image"] for service in services.values() if service["image"] != "toprung"]
    assert [image for image in images + built if not re.fullmatch(r"[\w./-]+:(?=.*\d)[\w.-]+", image)] == []
    assert [image for image in images if image.startswith("minio/") and ":RELEASE.20" not in image] == []


def test_nobody_is_root_and_no_secret_stands_in_the_files(services: dict[str, Any]) -> None:
    text = (DEPLOY / "Containerfile").read_text()
    assert text.index("\nUSER toprung\n") < text.index("\nENTRYPOINT")
    for name in OF_THE_IMAGE:
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["read_only"] is True
    for service in services.values():
        for variable, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET|KEY$|MC_HOST", variable) and variable != "TOPRUNG_S3_KEY":
                assert FILLED.search(value), f"{variable} is not taken from .env"


def test_what_the_image_starts_unless_told_otherwise_is_the_web_server(services: dict[str, Any]) -> None:
    command = re.search(r"^CMD (\[.+\])$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    assert command is not None
    assert yaml.safe_load(command[1]) == services["web"]["command"]


def test_the_parts_work_for_an_ordinary_user_in_an_empty_folder(
    services: dict[str, Any], bucket: Bucket, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    database = OwnDatabase(folder)
    own = database.environment | bucket.variables | {"TOPRUNG_DATA": str(folder), "HOME": str(folder)}
    variables = {name: variables_of(services[name]) | own for name in OF_THE_IMAGE}
    made = subprocess.run(
        [*as_ordinary_user(), TOPRUNG, *services["migrate"]["command"]],
        env=clean_environment(**variables["migrate"]),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert made.stdout.startswith("Made the tables.\n"), made.stderr
    parts = [Started(name, services[name]["command"], folder, variables[name]) for name in ("web", "worker")]
    try:
        wait_for(lambda: parts[0].get("/readyz").status == 200)
        assert parts[0].get("/").status == 200
    finally:
        started = [child for part in parts for child in part.descendants()]
        assert [part.stop() for part in parts] == [0, 0]
        database.drop()
    assert left_of(started) == []
    assert os.stat(folder / "static").st_uid == os.geteuid()


class Started(Part):
    """A part as the image starts it; the web server at a port that is free."""

    get = Web.get

    def __init__(self, name: str, command: list[str], folder: Path, variables: dict[str, str]) -> None:
        self.output = folder.with_name(f"{name}.out")
        if name == "web":
            assert command[1:5] == ["--host", "0.0.0.0", "--port", "8000"]
            command = ["web", "--host", "127.0.0.1", "--port", "0", *command[5:]]
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [*as_ordinary_user(), TOPRUNG, *command],
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=clean_environment(**variables),
            )
        if name == "web":
            self.port = int(wait_for(lambda: LISTENS.search(self.printed))[2])


def test_the_guide_fills_every_secret_that_the_compose_file_asks_for() -> None:
    asked = {found[1] for found in FILLED.finditer((DEPLOY / "compose.yaml").read_text())}
    guide = (DEPLOY / "containers.md").read_text()
    set_there = {line.partition("=")[0] for line in re.search(r"<<END\n(.+?)END\n", guide, re.DOTALL)[1].splitlines()}
    assert asked == set_there == set(SECRETS)
