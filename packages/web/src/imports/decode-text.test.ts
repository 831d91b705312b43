import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const TEXT = 'name,email\nZoë Müller,zoe@example.com';

function bytesOf(
  encoding: 'utf8' | 'latin1' | 'utf16le',
  { mark = [], swapped = false }: { mark?: number[]; swapped?: boolean } = {},
) {
  const body = Buffer.from(TEXT, encoding);
  const bytes = new Uint8Array([...mark, ...(swapped ? body.swap16() : body)]);
  return bytes.buffer;
}

test.each([
  ['UTF-8', bytesOf('utf8')],
  ['UTF-8 with a byte order mark', bytesOf('utf8', { mark: [0xef, 0xbb, 0xbf] })],
  ['UTF-16, little end first', bytesOf('utf16le', { mark: [0xff, 0xfe] })],
  ['UTF-16, big end first', bytesOf('utf16le', { mark: [0xfe, 0xff], swapped: true })],
  ['Windows-1252', bytesOf('latin1')],
])('a file in %s is read as it was written', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
});

test('the euro sign of Windows-1252 is read, and an empty file is an empty text', () => {
  expect(decodeText(new Uint8Array([0x80, 0x31]).buffer)).toBe('€1');
  expect(decodeText(new ArrayBuffer(0))).toBe('');
});
