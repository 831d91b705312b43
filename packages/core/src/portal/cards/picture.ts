import { crc32, deflateSync } from 'node:zlib';
import type { Glyph } from 'fontkit';
import { drawable, Line, openFonts, WIDER, wrap } from '../typesetting/lines.ts';

/** Size that all applications with link previews show in full. */
export const PICTURE = { width: 1_200, height: 630 } as const;
const MARGIN = 90;
const WIDTH = PICTURE.width - 2 * MARGIN;
/** Sizes of the name in pixels, the first of which that shows all of it is used, and of the text below it, with their largest number of lines. */
const NAME = [
  { size: 88, most: 2 },
  { size: 64, most: 3 },
  { size: 48, most: 4 },
];
const TEXT = { size: 42, most: 4 };
const LINE_HEIGHT = 1.3;
/** Ends of a curve are joined by this number of straight lines. */
const STEPS = 8;
/** Number of times that the glyphs of a thin font are drawn around their place, which makes their strokes wider. */
const TIMES = 8;

/**
 * Draws a name and a text below it on a background, as PNG. Text that does not fit ends with an ellipsis. Characters that no font has, e.g. most emoji, are
 * left out.
 *
 * @param colors colors of the form `#1a2b3c`
 */
export async function drawPicture(name: string, text: string, colors: { background: string; text: string }): Promise<Buffer> {
  const fontOf = await openFonts(`${name}${text}`);
  const linesOf = (words: string, { size, most }: { size: number; most: number }) => {
    const widthOf = (line: string) => new Line(line, size, fontOf).width;
    const { lines, isWhole } = wrap(drawable(words, fontOf), most, { width: WIDTH, widthOf });
    return { lines: lines.map((line) => new Line(line, size, fontOf)), isWhole };
  };
  const names = NAME.map((size) => linesOf(name, size));
  const lines = [...(names.find(({ isWhole }) => isWhole) ?? names.at(-1)!).lines, ...linesOf(text, TEXT).lines];
  const height = lines.reduce((sum, { size }) => sum + size * LINE_HEIGHT, 0);
  const ink = new Ink();
  let y = (PICTURE.height - height) / 2;
  for (const line of lines) {
    let x = line.isLeftward ? MARGIN + WIDTH - line.width : MARGIN;
    for (const { glyph, position, scale, isThin } of line.glyphs) {
      const at: Point = [x + position.xOffset * scale, y + line.size - position.yOffset * scale];
      for (const [left, baseline] of isThin ? around(at, line.size * WIDER) : [at]) ink.draw(glyph, left, baseline, scale);
      x += position.xAdvance * scale;
    }
    y += line.size * LINE_HEIGHT;
  }
  return png(ink.coverage(), colors);
}

/** Returns points on a circle. */
function around([x, y]: Point, radius: number): Point[] {
  return Array.from({ length: TIMES }, (_, index) => {
    const angle = (2 * Math.PI * index) / TIMES;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** Collects the areas that glyphs cover, as the change of coverage from each pixel to the next one in its row. */
class Ink {
  readonly #change = new Float32Array(PICTURE.width * PICTURE.height + 2);

  draw(glyph: Glyph, left: number, baseline: number, scale: number): void {
    const at = (x: number, y: number): Point => [left + x * scale, baseline - y * scale];
    let start: Point = [0, 0];
    let last: Point = [0, 0];
    const lineTo = (next: Point) => {
      this.#edge(last, next);
      last = next;
    };
    for (const { command, args } of glyph.path.commands) {
      const points = Array.from({ length: args.length / 2 }, (_, index) => at(args[2 * index]!, args[2 * index + 1]!));
      if (command === 'moveTo') start = last = points[0]!;
      else if (command === 'closePath') lineTo(start);
      else {
        const curve = [last, ...points];
        const steps = curve.length === 2 ? 1 : STEPS;
        for (let step = 1; step <= steps; step += 1) lineTo(pointOn(curve, step / steps));
      }
    }
  }

  /** Adds the signed area between an edge of an outline and the right side of the picture. */
  #edge(from: Point, to: Point): void {
    const direction = from[1] < to[1] ? 1 : -1;
    const [[topX, topY], [bottomX, bottomY]] = direction === 1 ? [from, to] : [to, from];
    if (topY === bottomY) return;
    const slope = (bottomX - topX) / (bottomY - topY);
    for (let row = Math.max(0, Math.floor(topY)); row < Math.min(PICTURE.height, bottomY); row += 1) {
      const [upper, lower] = [Math.max(row, topY), Math.min(row + 1, bottomY)];
      const ends = [topX + (upper - topY) * slope, topX + (lower - topY) * slope].map((x) =>
        Math.min(Math.max(x, 0), PICTURE.width - 1),
      );
      this.#cover(row * PICTURE.width, Math.min(...ends), Math.max(...ends), direction * (lower - upper));
    }
  }

  /** Spreads the area of an edge in one row over the pixels that it crosses. */
  #cover(row: number, left: number, right: number, area: number): void {
    const width = right - left;
    let before = 0;
    for (let pixel = Math.floor(left); pixel <= Math.floor(right); pixel += 1) {
      const [near, far] = [Math.max(left, pixel), Math.min(right, pixel + 1)];
      // Parts of the edge left of the pixel and within it. The first covers the whole pixel, the second what is right of its middle.
      const [passed, within] = width === 0 ? [0, 1] : [(near - left) / width, (far - near) / width];
      const covered = passed + within * (pixel + 1 - (near + far) / 2);
      this.#change[row + pixel]! += area * (covered - before);
      before = covered;
    }
    this.#change[row + Math.floor(right) + 1]! += area * (1 - before);
  }

  /** Returns the coverage of each pixel, from 0 to 255. */
  coverage(): Buffer {
    const pixels = Buffer.alloc(PICTURE.width * PICTURE.height);
    let sum = 0;
    for (let index = 0; index < pixels.length; index += 1) {
      sum += this.#change[index]!;
      pixels[index] = Math.round(Math.min(Math.abs(sum), 1) * 255);
    }
    return pixels;
  }
}

type Point = readonly [x: number, y: number];

/** Returns a point of a line or Bézier curve. */
function pointOn(curve: readonly Point[], share: number): Point {
  if (curve.length === 1) return curve[0]!;
  const between = curve.slice(1).map(([x, y], index): Point => {
    const [fromX, fromY] = curve[index]!;
    return [fromX + (x - fromX) * share, fromY + (y - fromY) * share];
  });
  return pointOn(between, share);
}

/** Encodes pixels as PNG with a palette: 0 is the background, 255 the text. */
function png(pixels: Buffer, colors: { background: string; text: string }): Buffer {
  const { width, height } = PICTURE;
  const channel = (color: string, index: number) => Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16);
  const palette = Buffer.from(
    Array.from({ length: 256 * 3 }, (_, place) => {
      const [background, text] = [colors.background, colors.text].map((color) => channel(color, place % 3)) as [number, number];
      return Math.round(background + ((text - background) * Math.floor(place / 3)) / 255);
    }),
  );
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits a pixel, indexes into a palette.
  head.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) pixels.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  content.copy(framed, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}
