"""Names of files: they say the address, stand on any disk, stay in the folder, and are nobody else's."""

from __future__ import annotations

import re

import pytest

from toprung.web.ops.publish.file_names import FileNames

HOME = "/b/web-docs/"
PAGE = "text/html; charset=utf-8"
SAFE = re.compile(r"(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+(?:\.[A-Za-z0-9]{1,5}){1,2}")


@pytest.mark.parametrize(
    ("address", "content_type", "name"),
    [
        ("/b/web-docs/", PAGE, "index.html"),
        ("/b/web-docs/?page=2", PAGE, "index-page-2.html"),
        ("/b/web-docs/history/", PAGE, "history.html"),
        ("/b/web-docs/export.csv", "text/csv", "export.csv"),
        ("/b/web-docs/compare/?a=R2&b=R3", PAGE, "compare-a-R2-b-R3.html"),
        ("/b/web-docs/compare.json?a=R2&b=R3", "application/json", "compare-a-R2-b-R3.json"),
        ("/b/web-docs/runs/R12/", PAGE, "runs/R12.html"),
        ("/b/web-docs/?labels=2&page=3", PAGE, "index-labels-2-page-3.html"),
        ("/teams/kestrel_lab/", PAGE, "teams/kestrel_lab.html"),
        ("/methods/", PAGE, "methods.html"),
    ],
)
def test_a_name_says_the_address(address: str, content_type: str, name: str) -> None:
    assert FileNames(home=HOME).give(address, content_type) == name


def test_a_download_keeps_its_ending() -> None:
    sent = 'attachment; filename="web-docs-dev-v1.txt.gz"'
    assert FileNames(home=HOME).give("/b/web-docs/labels/7/", "application/octet-stream", sent) == "labels/7.txt.gz"
    hostile = 'attachment; filename="x/../../etc.sh"'
    assert FileNames(home=HOME).give("/b/web-docs/labels/7/", "application/octet-stream", hostile) == "labels/7.bin"


@pytest.mark.parametrize(
    "address",
    [
        "/b/web-docs/runs/%2e%2e%2f%2e%2e%2fetc%2fpasswd/",
        "/b/web-docs/runs/../",
        "/b/web-docs/runs/.htaccess/",
        "/b/web-docs/?q=%3Cscript%3E",
        "/b/web-docs/?tag=%22%3E%00%0a",
        "/b/web-docs/?tag=" + "x" * 5000,
        "/b/web-docs/?tag=%E2%80%AEtxt.exe",
        "/teams/aux/",
        "/teams/CON/",
        "/b/web-docs/nul/x/",
        "/b/web-docs/manifest.json",
        "/b/web-docs//",
    ],
)
def test_a_name_stays_in_the_folder_and_stands_on_any_disk(address: str) -> None:
    name = FileNames(home=HOME).give(address, PAGE)
    assert SAFE.fullmatch(name), name
    assert len(name) < 255
    assert name.casefold() != "manifest.json"
    assert not {"aux", "con", "nul"} & {part.partition(".")[0].casefold() for part in name.split("/")}


def test_no_two_addresses_have_the_same_file() -> None:
    addresses = [
        "/teams/Kestrel/",
        "/teams/kestrel/",  # the same to some disks
        "/b/web-docs/compare/?a=R2&b=R3",
        "/b/web-docs/compare-a-R2/?b=R3",
        "/b/web-docs/?q=a%2Fb",
        "/b/web-docs/?q=a-b",
        "/b/web-docs/?q=a%20b",
        "/b/web-docs/index/",
        "/b/web-docs/",
    ]
    names = FileNames(home=HOME)
    given = [names.give(address, PAGE).casefold() for address in addresses]
    assert len(set(given)) == len(addresses)
    assert [names.give(address, PAGE).casefold() for address in addresses] == given
