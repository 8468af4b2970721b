from xml.etree import ElementTree

from runs.results.pictures.svg import LIGHT, box, dot, line, picture, shade, short, text

SVG = "{http://www.w3.org/2000/svg}"


def test_hostile_texts_stay_texts():
    hostile = '</text><script>alert(1)</script>"\x00'
    drawn = picture(10, 10, hostile, [text(1, 2, hostile, "#000"), box(0, 0, 1, 1, "#000", hostile)])
    root = ElementTree.fromstring(drawn)
    assert not list(root.iter(f"{SVG}script"))
    assert root.find(f"{SVG}text").text == hostile.replace("\x00", "\ufffd")
    assert root.get("aria-label") == root.find(f"{SVG}title").text


def test_shades_lie_between_their_ends():
    assert shade(LIGHT, 0) == "#ffc08f"
    assert shade(LIGHT, 1) == "#58b7c0"
    assert shade(LIGHT, 0.5) not in (shade(LIGHT, 0), shade(LIGHT, 1))


def test_shapes_are_what_they_say():
    shapes = ElementTree.fromstring(picture(9, 9, "t", [line([(0, 0), (1, 1)], "#000"), dot(1, 1, "#000")]))
    assert [shape.tag.removeprefix(SVG) for shape in shapes] == ["title", "polyline", "circle"]
    assert short("abcdef", 4) == "abc…"
