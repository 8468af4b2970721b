"""The figures of `/metrics` as charts, for the page of operations: each has the values that Prometheus reads."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from prometheus_client.metrics_core import Metric
from prometheus_client.samples import Sample

from runs.models import RunStatus, TrialStatus
from runs.results.charts import Chart, Column, Value

PREFIX = "packwright_"
DURATIONS = "http_request_seconds"
# Kinds of requests, as their bars are called.
KINDS = {"page": "Pages", "api": "API"}
# The end of a histogram's last bucket.
ENDLESS = "+Inf"


def in_words(value: str) -> str:
    return value.replace("_", " ").capitalize()


def as_it_is(value: str) -> str:
    return value


def answer(status: str) -> str:
    """`404 Not Found`; a number that nobody knows stays one."""
    try:
        return f"{status} {HTTPStatus(int(status)).phrase}"
    except ValueError:
        return status


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart of one family: a bar for each value of a label, which is worded by `words`.

    `kind` says how numbers read; `only` which samples count, by their labels.
    """

    key: str
    family: str
    title: str
    about: str
    label: str
    unit: str
    kind: str = "count"
    words: Callable[[str], str] = in_words
    only: Callable[[dict[str, str]], bool] = lambda labels: True


# Families of a single number, by name: what the page calls them.
FIGURES = {
    "workers": "Workers",
    "worker_slots": "Jobs at once",
    "packs": "Packs",
    "versions": "Versions",
    "judge_calls": "Judge calls",
}
SINCE = "Counted since this container's web processes started."
PICTURES = (
    Picture("requests", "http_requests", "Requests", SINCE, "status", "Requests", words=answer),
    Picture(
        "mistakes",
        "http_requests",
        "Server errors",
        f"Answers of 500 and above, by page. {SINCE}",
        "view",
        "Requests",
        words=as_it_is,
        only=lambda labels: labels["status"] >= "500",
    ),
    Picture("depth", "queue_depth", "Waiting", "What waits for a worker now.", "queue", "Waiting"),
    Picture(
        "age", "queue_age_seconds", "Longest wait", "How long the oldest of them has waited.", "queue", "Wait", "wait"
    ),
    Picture(
        "runs", "runs", "Runs", "Stored runs by status.", "status", "Runs", words=lambda key: str(RunStatus(key).label)
    ),
    Picture(
        "trials",
        "trials",
        "Trials",
        "Stored trials by status.",
        "status",
        "Trials",
        words=lambda key: str(TrialStatus(key).label),
    ),
    Picture(
        "faults",
        "trial_faults",
        "Who is to blame",
        "Trials without a verdict, or that failed for another reason than their answer.",
        "fault",
        "Trials",
    ),
    Picture("tokens", "tokens", "Tokens", "What stored trials used up.", "by", "Tokens"),
    Picture("money", "cost_usd", "Money", "What stored trials cost, as far as prices are known.", "by", "Cost", "usd"),
    Picture("stored", "stored_bytes", "Storage", "Bytes by where they are.", "in", "Size", "bytes"),
    Picture(
        "disk",
        "disk_free_bytes",
        "Free disk space",
        "What is left on the disk of each folder of the studio.",
        "folder",
        "Free",
        "bytes",
        as_it_is,
    ),
)


def samples_by_family(families: Iterable[Metric]) -> dict[str, list[Sample]]:
    """The samples of each family, by its name without the prefix."""
    return {family.name.removeprefix(PREFIX): family.samples for family in families}


def figures(samples: Mapping[str, list[Sample]]) -> list[tuple[str, int]]:
    """The single numbers with their names."""
    return [(title, int(samples[name][0].value)) for name, title in FIGURES.items()]


def charts(samples: Mapping[str, list[Sample]]) -> list[Chart]:
    """All that has something to show; web processes have no family of requests before the first was answered."""
    found = [bars(picture, samples.get(picture.family, [])) for picture in PICTURES]
    found.insert(1, durations(samples.get(DURATIONS, [])))
    return [chart for chart in found if chart.rows]


def bars(picture: Picture, samples: Iterable[Sample]) -> Chart:
    sums: dict[str, float] = {}
    for sample in samples:
        if not sample.name.endswith("_created") and picture.only(sample.labels):
            key = sample.labels[picture.label]
            sums[key] = sums.get(key, 0.0) + sample.value
    columns = (Column("label", in_words(picture.label), "text"), Column("value", picture.unit, picture.kind))
    rows = tuple((picture.words(key), value) for key, value in sorted(sums.items()))
    return Chart(picture.key, "kinds", picture.title, picture.about, columns, rows)


def durations(samples: Iterable[Sample]) -> Chart:
    """How many requests took how long: Prometheus' buckets hold what took less, bars what lies between two of them."""
    buckets: dict[str, dict[str, float]] = {}
    for sample in samples:
        if sample.name.endswith("_bucket"):
            buckets.setdefault(sample.labels["kind"], {})[sample.labels["le"]] = sample.value
    ends = sorted(next(iter(buckets.values()), {}), key=float)
    kinds = [kind for kind in KINDS if kind in buckets]
    columns = (Column("label", "Time", "text"), *(Column(kind, KINDS[kind], "count") for kind in kinds))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (ranged(low, high), *(buckets[kind][high] - buckets[kind].get(low, 0.0) for kind in kinds))
        for low, high in zip(["0", *ends], ends, strict=False)
    )
    about = f"How many requests took how long until the answer began. {SINCE}"
    return Chart("seconds", "kinds", "Response times", about, columns, rows)


def ranged(low: str, high: str) -> str:
    if high == ENDLESS:
        return f"over {float(low):g} s"
    return f"up to {float(high):g} s" if low == "0" else f"{float(low):g} to {float(high):g} s"
