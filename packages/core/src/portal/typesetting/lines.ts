/** Lines of text in scripts of several fonts and directions, for pictures and documents. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font, Glyph } from 'fontkit';

/** Finds the font of a character: null if none has it. */
export type FontOf = (character: string) => Font | null;

/** Part of the size by which strokes of a thin font are made wider at each side, so that they look like those of the others. */
export const WIDER = 0.02;
/** Letters of a script that is written from right to left. */
const LEFTWARD = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}]`;
/** Parts of a line that are written from right to left, with all between their letters. */
const LEFTWARD_PARTS = new RegExp(String.raw`${LEFTWARD}(?:[^\p{L}\p{N}]*${LEFTWARD})*`, 'gu');
const BEGINS_LEFTWARD = new RegExp(String.raw`^\P{L}*${LEFTWARD}`, 'u');
/** Scripts that do not put spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns a text without the characters that no font has, e.g. most emoji. */
export function drawable(text: string, fontOf: FontOf): string {
  return Array.from(text.normalize('NFC'))
    .filter((character) => fontOf(character) !== null)
    .join('');
}

/** True if a text has letters of a script that is written from right to left. */
export function hasLeftward(text: string): boolean {
  return text.search(LEFTWARD_PARTS) !== -1;
}

/** A line of text, with its glyphs from left to right. */
export class Line {
  readonly size: number;
  /** True if the line begins at the right. */
  readonly isLeftward: boolean;
  readonly glyphs: {
    glyph: Glyph;
    position: { xAdvance: number; xOffset: number; yOffset: number };
    scale: number;
    isThin: boolean;
  }[];
  readonly width: number;

  constructor(text: string, size: number, fontOf: FontOf) {
    this.size = size;
    this.isLeftward = BEGINS_LEFTWARD.test(text);
    const parts = partsOf(text);
    this.glyphs = (this.isLeftward ? parts.toReversed() : parts).flatMap((part) =>
      runsOf(part, fontOf).flatMap(({ font, words }) => {
        const { glyphs, positions } = font.layout(words);
        const drawn = { scale: size / font.unitsPerEm, isThin: font.variationAxes['wght'] !== undefined };
        return glyphs.map((glyph, index) => ({ glyph, position: positions[index]!, ...drawn }));
      }),
    );
    this.width = this.glyphs.reduce((sum, { position, scale }) => sum + position.xAdvance * scale, 0);
  }
}

/** Cuts a line into parts of one direction, in the order in which they are read. Spaces between them are parts themselves. */
function partsOf(line: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: part, index } of line.matchAll(LEFTWARD_PARTS)) {
    parts.push(line.slice(end, index), part);
    end = index + part.length;
  }
  return [...parts, line.slice(end)].flatMap((part) => part.split(/^(\s+)|(\s+)$/)).filter(Boolean);
}

/** Cuts a part of a line into runs of one font. */
function runsOf(part: string, fontOf: FontOf): { font: Font; words: string }[] {
  const runs: { font: Font; words: string }[] = [];
  for (const character of part) {
    const font = fontOf(character)!;
    const last = runs.at(-1);
    if (last?.font === font) last.words += character;
    else runs.push({ font, words: character });
  }
  return runs;
}

/** Breaks a text into at most `most` lines that fit, and cuts its end otherwise. `isWhole` is false if its end or a word is cut. */
export function wrap(
  text: string,
  most: number,
  { width, widthOf }: { width: number; widthOf: (line: string) => number },
): { lines: string[]; isWhole: boolean } {
  const fits = (line: string) => widthOf(line.trimEnd()) <= width;
  /** Returns the longest beginning of a line that fits together with an end. */
  const longest = (line: string, end: string) => {
    const characters = Array.from(line);
    let [length, tooMany] = [1, characters.length + 1];
    while (tooMany - length > 1) {
      const middle = (length + tooMany) >> 1;
      if (fits(characters.slice(0, middle).join('') + end)) length = middle;
      else tooMany = middle;
    }
    return characters.slice(0, length).join('');
  };
  const lines: string[] = [];
  let isWhole = true;
  const left = piecesOf(text);
  while (left.length > 0) {
    const piece = left.shift()!;
    const longer = `${lines.at(-1) ?? ''}${piece}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else if (lines.length === most)
      return { lines: [...lines.slice(0, -1), `${longest(longer, '…').trimEnd()}…`], isWhole: false };
    else if (fits(piece)) lines.push(piece);
    else {
      isWhole = false;
      const beginning = longest(piece, '');
      lines.push(beginning);
      left.unshift(piece.slice(beginning.length));
    }
  }
  return { lines: lines.map((line) => line.trimEnd()), isWhole };
}

/** Cuts a text into pieces, between which a line may be broken. A piece ends with its space. */
function piecesOf(text: string): string[] {
  return text
    .trim()
    .split(/(?<=\s)(?=\S)/)
    .flatMap((word) =>
      UNSPACED.test(word)
        ? [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(word)].map(({ segment }) => segment)
        : [word],
    );
}

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
