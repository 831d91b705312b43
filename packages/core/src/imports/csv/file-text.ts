/** Reads files as spreadsheets and tools write them, in slices. Pages and the command line send them to an import so. */
import { withoutControls } from '../../platform/wire/typed-text.ts';

/** A file on the device of a person. */
export interface LocalFile {
  /** In bytes. */
  size: number;
  read: (from: number, to: number) => Promise<Uint8Array>;
}

/** A piece of the text of a file. `offset` is in bytes of the text in UTF-8. */
export interface FilePiece {
  offset: number;
  content: string;
  is_last: boolean;
}

/** The file is not text, e.g. the workbook of a spreadsheet. */
export class NotText extends Error {}

/** Of which the text has less than 1 MiB in UTF-8. */
const SLICE = 262_144;

/** Encodings of spreadsheets, by the byte order mark with which their files begin. */
const MARKED: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Yields the text of a file in UTF-8, in UTF-16 with a byte order mark, or otherwise in Windows-1252, in pieces. Leaves out what was sent before.
 *
 * @param from bytes of the text that were sent before
 * @throws NotText
 */
export async function* piecesOf(file: LocalFile, from = 0): AsyncGenerator<FilePiece> {
  const decoder = new TextDecoder(await encodingOf(file));
  let offset = 0;
  for (let at = 0; at === 0 || at < file.size; at += SLICE) {
    const is_last = at + SLICE >= file.size;
    const text = withoutControls(decoder.decode(await slice(file, at), { stream: !is_last }));
    const bytes = new TextEncoder().encode(text);
    const isSent = offset + bytes.length <= from && !is_last;
    const sent = Math.min(Math.max(from - offset, 0), bytes.length);
    const content = sent === 0 ? text : new TextDecoder().decode(bytes.subarray(sent));
    if (!isSent) yield { offset: offset + sent, content, is_last };
    offset += bytes.length;
  }
}

async function encodingOf(file: LocalFile): Promise<string> {
  const start = await slice(file, 0);
  const marked = MARKED.find(([mark]) => mark.every((byte, i) => start[i] === byte));
  if (marked) return marked[1];
  if (start.includes(0)) throw new NotText();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < file.size; at += SLICE) decoder.decode(await slice(file, at), { stream: at + SLICE < file.size });
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

function slice({ size, read }: LocalFile, at: number): Promise<Uint8Array> {
  return read(at, Math.min(at + SLICE, size));
}
