import { describe, expect, test } from 'vitest';
import { type FilePiece, NotText, piecesOf } from './file-text.ts';

const TEXT = 'name,email\nZoë Müller,zoe@example.com';

function bytesOf(
  encoding: 'utf8' | 'latin1' | 'utf16le',
  { mark = [], swapped = false }: { mark?: number[]; swapped?: boolean } = {},
): Buffer {
  const body = Buffer.from(TEXT, encoding);
  return Buffer.from([...mark, ...(swapped ? body.swap16() : body)]);
}

const fileOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: (from: number, to: number) => Promise.resolve(bytes.subarray(from, to)),
});

async function piecesIn(bytes: Uint8Array, from = 0): Promise<FilePiece[]> {
  const pieces: FilePiece[] = [];
  for await (const piece of piecesOf(fileOf(bytes), from)) pieces.push(piece);
  return pieces;
}

async function textOf(bytes: Uint8Array, from = 0): Promise<string> {
  const pieces = await piecesIn(bytes, from);
  expect(pieces.map(({ is_last }) => is_last)).toEqual(pieces.map((_, i) => i === pieces.length - 1));
  return pieces.map(({ content }) => content).join('');
}

describe('the text of a file', () => {
  test.each([
    ['UTF-8', bytesOf('utf8')],
    ['UTF-8 with a byte order mark', bytesOf('utf8', { mark: [0xef, 0xbb, 0xbf] })],
    ['UTF-16, little end first', bytesOf('utf16le', { mark: [0xff, 0xfe] })],
    ['UTF-16, big end first', bytesOf('utf16le', { mark: [0xfe, 0xff], swapped: true })],
    ['Windows-1252', bytesOf('latin1')],
    ['UTF-8 with a control character at its end', Buffer.from(`${TEXT}\u001A`)],
  ])('in %s is as it was written', async (_, bytes) => {
    expect(await textOf(bytes)).toBe(TEXT);
  });

  test('in Windows-1252 has its euro sign, and an empty file is one empty piece', async () => {
    expect(await textOf(new Uint8Array([0x80, 0x31]))).toBe('€1');
    expect(await textOf(new Uint8Array())).toBe('');
  });

  test('with zero bytes is no text', async () => {
    await expect(textOf(Buffer.from('PK\u0003\u0004\0\0'))).rejects.toThrow(NotText);
  });

  test('goes on wherever it was cut off, also within a slice and between the bytes of a letter', async () => {
    const long = `a${'ü€𝄞'.repeat(60_000)}`;
    const bytes = Buffer.from(long);
    const pieces = await piecesIn(bytes);
    expect(pieces.length).toBeGreaterThan(2);
    for (const { offset } of [...pieces, { offset: 10 }, { offset: bytes.length }]) {
      const rest = await piecesIn(bytes, offset);
      expect(rest[0]!.offset).toBe(offset);
      expect(rest.map(({ content }) => content).join('')).toBe(bytes.subarray(offset).toString());
    }
  });
});
