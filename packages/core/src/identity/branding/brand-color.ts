/** Minimum contrast between text and its background (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

type TextColor = '#000000' | '#ffffff';

/** Returns the text color for a background: black or white, whichever has the higher contrast. That contrast always reaches `LEAST_CONTRAST`. */
export function textColorOn(background: string): TextColor {
  return contrastOf('#ffffff', background) >= contrastOf('#000000', background) ? '#ffffff' : '#000000';
}

/** Returns the contrast of two colors of the form `#1a2b3c`, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => linear(Number.parseInt(color.slice(start, start + 2), 16) / 255)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
