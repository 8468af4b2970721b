"""Images with the packages that a task asks for: made once from the task's image, where it has the network."""

import hashlib
import io
import tarfile

from docker.errors import ImageNotFound, NotFound

from runs.sandbox.container.engine import LABEL_OF_PLACE, Client, described
from runs.sandbox.contract import Limits, Room, SandboxUnavailable
from runs.sandbox.packages import STATUS, lacking

REPOSITORY = "packwright-packages"
INSTALL = (
    "export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && "
    'apt-get install -y -qq --no-install-recommends -- "$@"'
)
SECONDS = 600
SHOWN = 1000


def image_with_packages(client: Client, room: Room, name: str) -> str:
    """The image for a room: its own where that has all packages, else one made of it. `name` tells whose container
    makes it. Raises SandboxUnavailable, also where the room has no network to fetch packages from.
    """
    if not room.packages:
        return room.image
    with described():
        missing = lacking(room.packages, _status(client, room.image))
        if not missing:
            return room.image
        if not room.network:
            raise SandboxUnavailable(
                f"The image {room.image!r} lacks the packages {', '.join(missing)}. They are installed for tasks with "
                "network access; else an administrator makes an image that has them."
            )
        tag = _tag(client.images.get(room.image).id, missing)
        made = f"{REPOSITORY}:{tag}"
        try:
            client.images.get(made)
        except ImageNotFound:
            _make(client, room.image, missing, tag, name)
    return made


def _tag(identity: str, missing: tuple[str, ...]) -> str:
    """What names an image with these packages, whichever task asks for them."""
    return hashlib.sha256("\n".join([identity, *sorted(missing)]).encode()).hexdigest()[:32]


def _make(client: Client, image: str, missing: tuple[str, ...], tag: str, name: str) -> None:
    container = client.containers.create(
        image,
        ["sh", "-c", INSTALL, "sh", *missing],
        entrypoint=[],
        user="0",
        network_mode="bridge",
        mem_limit=Limits().memory_bytes,
        pids_limit=Limits().processes,
        security_opt=["no-new-privileges"],
        labels={LABEL_OF_PLACE: name},
    )
    try:
        container.start()
        code = container.wait(timeout=SECONDS)["StatusCode"]
        if code:
            said = container.logs(tail=20).decode("utf-8", "replace").strip()[-SHOWN:]
            raise SandboxUnavailable(f"The packages {', '.join(missing)} could not be installed in {image!r}: {said}")
        # Containers of the new image are nobody's until they say whose.
        container.commit(repository=REPOSITORY, tag=tag, changes=[f"LABEL {LABEL_OF_PLACE}="])
    finally:
        container.remove(force=True)


def _status(client: Client, image: str) -> str:
    """The image's account of its packages; empty where it has none."""
    container = client.containers.create(image, ["true"], network_mode="none")
    try:
        pieces, _ = container.get_archive(STATUS)
        with tarfile.open(fileobj=io.BytesIO(b"".join(pieces))) as archive:
            member = archive.extractfile(archive.next() or "")
            return member.read().decode("utf-8", "replace") if member else ""
    except (NotFound, KeyError):
        return ""
    finally:
        container.remove(force=True)
