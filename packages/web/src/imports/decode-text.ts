/** Encodings of spreadsheets, by the byte order mark with which their files begin. */
const MARKED: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Returns the text of a file in UTF-8, in UTF-16 with a byte order mark, or otherwise in Windows-1252, as spreadsheets write it. */
export function decodeText(bytes: ArrayBuffer): string {
  const start = new Uint8Array(bytes.slice(0, 2));
  const marked = MARKED.find(([mark]) => mark.every((byte, i) => start[i] === byte));
  if (marked) return new TextDecoder(marked[1]).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
