import { expect, it } from 'vitest';
import { LEAST_CONTRAST, contrastOf, textColorOn } from './brand-color.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#1c4ed8', '#ffffff', 6.71],
])('the contrast of %s and %s is %d', (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 1);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});

it('text is legible on any color', () => {
  const levels = Array.from({ length: 16 }, (_, level) => (level * 17).toString(16).padStart(2, '0'));
  const colors = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)));
  expect(colors.filter((color) => contrastOf(textColorOn(color), color) < LEAST_CONTRAST)).toEqual([]);
});
