// The shades of cells as letters: how many tenths of the judged trials passed.
export const LETTERS = "0123456789a";

/** The letter that stands for several cells in one pixel: the mean of those that have a verdict. */
export function blend(letters) {
  const values = [...letters].map((letter) => LETTERS.indexOf(letter)).filter((value) => value >= 0);
  if (!values.length) return letters.includes("-") ? "-" : " ";
  return LETTERS[Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)];
}
