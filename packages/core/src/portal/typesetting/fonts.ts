import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'fontkit';
import type { FontOf } from './lines.ts';

/** Path of the first font, with Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters. */
export const FIRST_FONT = 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf';
const require = createRequire(import.meta.url);

/** Fonts for further scripts, in the order in which they are tried. Each is cut into files, of which `unicode.json` names the characters. */
const CUT = [
  { manifest: () => require.resolve('@fontsource/noto-sans-thai/package.json'), prefix: 'noto-sans-thai', suffix: '400-normal' },
  {
    manifest: () => require.resolve('@fontsource-variable/noto-sans-sc/package.json'),
    prefix: 'noto-sans-sc',
    suffix: 'wght-normal',
  },
  {
    manifest: () => require.resolve('@fontsource-variable/noto-sans-kr/package.json'),
    prefix: 'noto-sans-kr',
    suffix: 'wght-normal',
  },
];

let first: Promise<Font> | undefined;

/** Opens the fonts that a text needs. The first font stays open. */
export async function openFonts(text: string): Promise<FontOf> {
  const { openSync } = await import('fontkit');
  first ??= Promise.resolve(openSync(require.resolve(FIRST_FONT)) as Font);
  const opened = [await first];
  // The first font has all of ASCII, of which most long texts consist.
  for (const character of new Set(text.replaceAll(/[ -~]+/g, ''))) {
    const code = character.codePointAt(0)!;
    if (opened.some((font) => font.hasGlyphForCodePoint(code))) continue;
    for (const file of filesOf(code)) {
      const font = openSync(file) as Font;
      if (!font.hasGlyphForCodePoint(code)) continue;
      opened.push(font);
      break;
    }
  }
  return (character) => opened.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0)!)) ?? null;
}

/** Returns the files that may have a character. */
function filesOf(code: number): string[] {
  return CUT.flatMap(({ manifest, prefix, suffix }) =>
    Object.entries(require(join(dirname(manifest()), 'unicode.json')) as Record<string, string>)
      .filter(([, ranges]) => ranges.split(',').some((range) => isIn(code, range)))
      .map(([part]) => join(dirname(manifest()), 'files', `${prefix}-${part.replaceAll(/[[\]]/g, '')}-${suffix}.woff2`)),
  );
}

/** @param range e.g. `U+0E01-0E5B` or `U+25CC` */
function isIn(code: number, range: string): boolean {
  const [from, to = from] = range.slice('U+'.length).split('-');
  return code >= Number.parseInt(from!, 16) && code <= Number.parseInt(to!, 16);
}
