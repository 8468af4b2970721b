from itertools import combinations

from runs.results.pictures.labels import HIGH, Box, Point, placed


def boxes(points, wide=400, high=300):
    found = placed(points, wide, high)
    return [
        place
        and Box(place[0] - point.length / 2, place[1] - HIGH / 2, place[0] + point.length / 2, place[1] + HIGH / 2)
        for point, place in zip(points, found, strict=True)
    ]


def test_names_of_points_that_lie_close_together_do_not_lie_on_each_other():
    names = boxes([Point(200 + at, 150 - at, 80) for at in range(8)])
    assert all(names)
    assert not any(one.clashes(other) for one, other in combinations(names, 2))


def test_a_name_alone_stands_above_its_point_and_within_the_picture():
    assert list(placed([Point(200, 150, 80)], 400, 300)) == [(200, 135.5)]
    assert all(box.left >= 0 and box.right <= 400 for box in boxes([Point(2, 150, 80), Point(398, 20, 80)]))


def test_a_name_without_room_is_left_out():
    assert None in boxes([Point(50, 20, 90)] * 9, wide=100, high=40)
