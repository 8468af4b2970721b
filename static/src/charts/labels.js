// Where the names of points stand, so that none lies on another name or point.
const HEIGHT = 15;
const RADIUS = 8;
const ABOVE = RADIUS + HEIGHT / 2;
// From the point to the middle of its name, in lines: above, below, beside it, then further away.
const PLACES = [
  { dy: -ABOVE, side: 0 },
  { dy: ABOVE, side: 0 },
  { dy: 0, side: 1 },
  { dy: 0, side: -1 },
  ...[1, 2, 3, 4, 5, 6].flatMap((line) => [{ dy: -ABOVE - line * HEIGHT, side: 0 }, { dy: ABOVE + line * HEIGHT, side: 0 }]),
];

const clash = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

function boxAt({ x, y, length }, { dy, side }) {
  const middle = x + side * (length / 2 + RADIUS + 2);
  return { left: middle - length / 2, right: middle + length / 2, top: y + dy - HEIGHT / 2, bottom: y + dy + HEIGHT / 2 };
}

/** For each point (`x`, `y`, and the `length` of its name in pixels) how its name is moved; null where none has room. */
export function placed(points, width, height) {
  const taken = points.map(({ x, y }) => ({ left: x - RADIUS, right: x + RADIUS, top: y - RADIUS, bottom: y + RADIUS }));
  return points.map((point) => {
    for (const place of PLACES) {
      const box = boxAt(point, place);
      const isInside = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;
      if (!isInside || taken.some((other) => clash(box, other))) continue;
      taken.push(box);
      return { dx: (box.left + box.right) / 2 - point.x, dy: place.dy };
    }
    return null;
  });
}
