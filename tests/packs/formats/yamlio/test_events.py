import gc

import pytest

from packs.formats.yamlio import collector_paused


def test_the_collector_runs_again_after_a_failure():
    with pytest.raises(KeyError), collector_paused():
        {}[gc.isenabled()]
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
