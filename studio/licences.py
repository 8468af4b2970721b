"""The licences of all that the studio is shipped with: Python packages, and what the front end is bundled from."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

# SPDX names of the licences under which the studio may use and pass on a package.
ACCEPTED = {
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "ISC", "LGPL-3.0-only", "MIT", "MIT-0", "MPL-2.0",
    "OFL-1.1", "PSF-2.0",
}  # fmt: skip
# Older names, as packages without `License-Expression` write them. "BSD" alone leaves open which of its texts is meant.
SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD 3-Clause OR Apache-2.0": "BSD-3-Clause OR Apache-2.0",
    "BSD License": "BSD",
    "LGPLv3": "LGPL-3.0-only",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "New BSD": "BSD-3-Clause",
}
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)( ;.*)?", re.M)


@dataclass(frozen=True)
class Shipped:
    """A package that is shipped; `licence` is an SPDX expression, or empty where the package names none."""

    kind: str
    name: str
    version: str
    licence: str

    @property
    def is_accepted(self) -> bool:
        names = re.split(r"[()\s]+(?:AND|OR)[()\s]+|[()\s]+", self.licence)
        return bool(self.licence) and {name for name in names if name} <= ACCEPTED


def python_packages(lock: Path) -> Iterator[Shipped]:
    """The packages of a lock file; one that another machine or version needs, and this one has not, is left out.

    Raises PackageNotFoundError for a package that should be installed and is not.
    """
    for name, version, condition in _REQUIREMENT.findall(lock.read_text()):
        try:
            yield Shipped("python", name, version, licence_of(metadata(name)))
        except PackageNotFoundError:
            if not condition:
                raise


def licence_of(package: PackageMetadata) -> str:
    """As the package says it: in its expression, its one-line name, or its classifiers."""
    classifiers = [line.split(" :: ")[-1] for line in package.get_all("Classifier") or [] if line.startswith("License")]
    named = [SPDX.get(classifier, classifier) for classifier in classifiers if classifier != "OSI Approved"]
    written = _said(package, "License")
    written = SPDX.get(written, written)
    is_name = written in ACCEPTED - {"BSD"} or " OR " in written
    return _said(package, "License-Expression") or (
        written if is_name else " OR ".join(named) or written.split("\n")[0]
    )


def _said(package: PackageMetadata, name: str) -> str:
    return next(iter(package.get_all(name) or []), "")


def bundled_packages(listing: Path) -> Iterator[Shipped]:
    """The packages that the build of the front end wrote down."""
    for package in json.loads(listing.read_text()):
        yield Shipped("npm", package["name"], package["version"], package["licence"] or "")
