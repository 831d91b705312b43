import { inflateSync } from 'node:zlib';

/** Extracts the text of a PDF with one embedded font, line by line from top to bottom. */
export function textOfPdf(pdf: Buffer): string[] {
  const streams = streamsOf(pdf);
  const letters = lettersOf(streams.find((stream) => stream.includes('begincmap'))!);
  return streams.flatMap((stream) =>
    [...stream.matchAll(/\[(.*?)\] TJ/g)].map(([, glyphs]) =>
      [...glyphs!.matchAll(/<([0-9a-f]+)>/gi)]
        .flatMap(([, hex]) => hex!.match(/.{4}/g)!)
        .map((glyph) => letters[Number.parseInt(glyph, 16)])
        .join(''),
    ),
  );
}

/** Returns the texts that a PDF shows as outlines, and the number of outlines. */
export function drawnInPdf(pdf: Buffer): { texts: string[]; outlines: number } {
  const streams = streamsOf(pdf);
  const texts = streams.flatMap((stream) =>
    [...stream.matchAll(/\/ActualText \(((?:[^\\)]|\\[^])*)\)/g)].map(([, written]) =>
      Buffer.from(
        written!.replaceAll(/\\([^])/g, (_, character: string) => ESCAPED[character] ?? character),
        'latin1',
      )
        .swap16()
        .toString('utf16le')
        .slice(1),
    ),
  );
  return { texts, outlines: streams.reduce((sum, stream) => sum + stream.split(/^(?:f|B)$/m).length - 1, 0) };
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function streamsOf(pdf: Buffer): string[] {
  const found: string[] = [];
  for (let start = pdf.indexOf('stream\n'); start !== -1; start = pdf.indexOf('stream\n', start + 1)) {
    if (pdf.toString('latin1', start - 3, start) === 'end') continue;
    const end = pdf.indexOf('\nendstream', start);
    try {
      found.push(inflateSync(pdf.subarray(start + 7, end)).toString('latin1'));
    } catch {
      // The stream is not compressed.
    }
  }
  return found;
}

/** Returns the text of each glyph, by the glyph's number. */
function lettersOf(map: string): string[] {
  return [...map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[(.*?)\]/gi)].flatMap(([, , texts]) =>
    [...texts!.matchAll(/<([0-9a-f ]+)>/gi)].map(([, codes]) =>
      codes!
        .split(' ')
        .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
        .join(''),
    ),
  );
}
