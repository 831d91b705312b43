import { expect, it } from 'vitest';
import { checkEndpointUrl } from './endpoint-url.ts';

type Quad = readonly [number, number, number, number];

/**
 * One address from every special block of the IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), and the metadata
 * addresses of clouds outside these blocks.
 */
const FORBIDDEN: [source: string, address: Quad][] = [
  ['RFC 791, this network', [0, 0, 0, 0]],
  ['RFC 1918, private', [10, 0, 0, 1]],
  ['RFC 6598, shared', [100, 64, 0, 1]],
  ['RFC 1122, loopback', [127, 0, 0, 1]],
  ['RFC 3927, link-local: metadata of AWS, Azure and Google', [169, 254, 169, 254]],
  ['RFC 1918, private', [172, 16, 0, 1]],
  ['RFC 6890, protocol assignments', [192, 0, 0, 1]],
  ['RFC 5737, documentation', [192, 0, 2, 1]],
  ['RFC 7526, 6to4 relays', [192, 88, 99, 1]],
  ['RFC 1918, private', [192, 168, 0, 1]],
  ['RFC 2544, benchmarking', [198, 18, 0, 1]],
  ['RFC 5737, documentation', [198, 51, 100, 1]],
  ['RFC 5737, documentation', [203, 0, 113, 1]],
  ['RFC 5771, multicast', [224, 0, 0, 1]],
  ['RFC 1112, reserved', [240, 0, 0, 1]],
  ['RFC 919, broadcast', [255, 255, 255, 255]],
  ['Azure, host agent', [168, 63, 129, 16]],
  ['Oracle Cloud, metadata', [192, 0, 0, 192]],
];

const number = ([a, b, c, d]: Quad) => a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
const hex = (value: number, width = 0) => value.toString(16).padStart(width, '0');
const octal = (value: number) => `0${value.toString(8)}`;
const wide = (text: string) => text.replaceAll(/[0-9.]/g, (char) => String.fromCodePoint(char.codePointAt(0)! + 0xfee0));
const groups = ([a, b, c, d]: Quad) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;

/** Spellings that URL parsers or resolvers read as the address: WHATWG URL, inet_aton(3), RFC 4291, 6052, 3056, 4380 and 5214. */
const SPELLINGS: [name: string, spell: (address: Quad) => string][] = [
  ['decimal parts', (quad) => quad.join('.')],
  ['a final dot', (quad) => `${quad.join('.')}.`],
  ['one decimal number', (quad) => String(number(quad))],
  ['one hexadecimal number', (quad) => `0x${hex(number(quad))}`],
  ['one hexadecimal number in capitals', (quad) => `0X${hex(number(quad)).toUpperCase()}`],
  ['one octal number', (quad) => octal(number(quad))],
  ['hexadecimal parts', (quad) => quad.map((part) => `0x${hex(part)}`).join('.')],
  ['padded hexadecimal parts', (quad) => quad.map((part) => `0x${hex(part, 6)}`).join('.')],
  ['octal parts', (quad) => quad.map(octal).join('.')],
  ['padded octal parts', (quad) => quad.map((part) => `000${octal(part)}`).join('.')],
  ['mixed parts', ([a, b, c, d]) => `0x${hex(a)}.${octal(b)}.${c}.${d}`],
  ['three parts', ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`],
  ['two parts', ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`],
  ['two parts, the second hexadecimal', ([a, b, c, d]) => `${a}.0x${hex(b * 65_536 + c * 256 + d)}`],
  ['full-width digits', (quad) => wide(quad.join('.'))],
  ['ideographic full stops', (quad) => quad.join('。')],
  ['percent-encoded digits', (quad) => quad.join('.').replaceAll(/./g, (char) => `%${hex(char.codePointAt(0)!)}`)],
  ['percent-encoded dots', (quad) => quad.join('%2e')],
  ['soft hyphens', (quad) => quad.join('.\u00AD')],
  ['IPv4-mapped', (quad) => `[::ffff:${quad.join('.')}]`],
  ['IPv4-mapped in hexadecimal', (quad) => `[::ffff:${groups(quad)}]`],
  ['IPv4-mapped, written out', (quad) => `[0:0:0:0:0:FFFF:${groups(quad)}]`],
  ['IPv4-compatible', (quad) => `[::${quad.join('.')}]`],
  ['IPv4-translated', (quad) => `[::ffff:0:${quad.join('.')}]`],
  ['NAT64', (quad) => `[64:ff9b::${quad.join('.')}]`],
  ['local NAT64', (quad) => `[64:ff9b:1::${quad.join('.')}]`],
  ['6to4', (quad) => `[2002:${groups(quad)}::1]`],
  ['Teredo', ([a, b, c, d]) => `[2001:0:4136:e378:8000:63bf:${groups([255 - a, 255 - b, 255 - c, 255 - d])}]`],
  ['ISATAP', (quad) => `[2606:4700::5efe:${quad.join('.')}]`],
];

const CASES = FORBIDDEN.flatMap(([source, quad]) =>
  SPELLINGS.map(([spelling, spell]) => ({ source, spelling, host: spell(quad) })),
);

it(`refuses ${CASES.length} spellings of forbidden addresses without asking a name server`, async () => {
  const requested: string[] = [];
  const resolve = async (hostname: string) => {
    requested.push(hostname);
    // A public address: if a spelling reached the resolver by mistake, its URL would be accepted, and the test would fail.
    return ['1.1.1.1'];
  };
  const accepted: object[] = [];
  const codes = new Set<string>();
  for (const each of CASES) {
    for (const url of [`https://${each.host}/hook`, `http://${each.host}:8080/hook`]) {
      const result = await checkEndpointUrl(url, { allowed: [], resolve });
      if (result.ok) accepted.push({ ...each, url });
      else codes.add(result.code);
    }
  }
  expect(accepted).toEqual([]);
  expect(codes).toEqual(new Set(['private_uri']));
  expect(requested).toEqual([]);
  expect(CASES.length).toBeGreaterThanOrEqual(250);
});

it('refuses names with one forbidden address among public ones, whatever its position', async () => {
  for (const [, quad] of FORBIDDEN) {
    for (const place of [0, 1, 2]) {
      const addresses = ['1.1.1.1', '2606:4700:4700::1111'].toSpliced(place, 0, quad.join('.'));
      const result = await checkEndpointUrl('https://shop.example.com/hook', { allowed: [], resolve: async () => addresses });
      expect(result).toMatchObject({ ok: false, code: 'private_uri' });
    }
  }
});
