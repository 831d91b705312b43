import { isIP, SocketAddress } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isPermittedAddress, isPublicAddress, parseAllowedNetworks } from './public-address.ts';

const ipv4Parts = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const ipv6Groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const dotted = (parts: readonly number[]) => parts.join('.');
const grouped = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':');
const hexGroups = ([a, b, c, d]: readonly [number, number, number, number]) => grouped([a * 256 + b, c * 256 + d]);

describe('isPublicAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:200::1',
    '3fff:1000::1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['this network', '0.0.0.0'],
    ['private', '10.255.255.255'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared address space', '100.64.0.0'],
    ['shared address space', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud metadata', '168.63.129.16'],
    ['cloud metadata', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarking', '198.19.255.255'],
    ['6to4 relay', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped loopback', '::ffff:7f00:1'],
    ['IPv4-translated', '::ffff:0:7f00:1'],
    ['NAT64', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['benchmarking', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['6to4', '2002:7f00:1::1'],
    ['documentation', '3fff::1'],
    ['ISATAP', '2606:4700::5efe:7f00:1'],
    ['ISATAP', '2a00:1450:4001:80b:200:5efe:10.0.0.1'],
    ['ISATAP', '2a00:1450:4001:80b:0:5efe:8.8.8.8'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['cloud metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
  ])('%s: %s is not public', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '8.8.8.8.',
    ' 8.8.8.8',
    '08.8.8.8',
    '2606:4700::1%eth0',
  ])('%j is not a canonical address, so it is not public', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it('accepts only texts that the operating system parses as an address', () => {
    const nearlyAddresses = fc.stringMatching(/^[0-9a-fx:.%]{1,24}$/);
    fc.assert(
      fc.property(nearlyAddresses, (text) => {
        expect(isPublicAddress(text) && isIP(text) === 0).toBe(false);
      }),
    );
  });

  it('treats an IPv4-mapped address as its IPv4 address, in any spelling', () => {
    fc.assert(
      fc.property(ipv4Parts, (parts) => {
        const expected = isPublicAddress(dotted(parts));
        expect(isPublicAddress(`::ffff:${dotted(parts)}`)).toBe(expected);
        expect(isPublicAddress(`0:0:0:0:0:FFFF:${hexGroups(parts)}`)).toBe(expected);
      }),
    );
  });

  it('refuses addresses that embed an IPv4 address in another way', () => {
    fc.assert(
      fc.property(ipv4Parts, ipv6Groups, (parts, groups) => {
        const suffix = grouped(groups.slice(3));
        expect(isPublicAddress(`::${hexGroups(parts)}`)).toBe(false);
        expect(isPublicAddress(`64:ff9b::${hexGroups(parts)}`)).toBe(false);
        expect(isPublicAddress(`2002:${hexGroups(parts)}:${suffix}`)).toBe(false);
        expect(isPublicAddress(`2606:${grouped(groups.slice(0, 3))}:0:5efe:${hexGroups(parts)}`)).toBe(false);
        expect(isPublicAddress(`2606:${grouped(groups.slice(0, 3))}:200:5efe:${hexGroups(parts)}`)).toBe(false);
        expect(isPublicAddress(`2001:0:${grouped(groups.slice(0, 4))}:${hexGroups(parts)}`)).toBe(false);
      }),
    );
  });

  it('refuses IPv6 addresses outside 2000::/3', () => {
    const outside = ipv6Groups.filter(([first = 0, , , , , sixth]) => first >> 13 !== 1 && !(first === 0 && sixth === 0xffff));
    fc.assert(
      fc.property(outside, (groups) => {
        expect(isPublicAddress(grouped(groups))).toBe(false);
      }),
    );
  });

  it('gives the same answer for every spelling of an IPv6 address', () => {
    fc.assert(
      fc.property(ipv6Groups, (groups) => {
        const expanded = grouped(groups);
        const { address: compressed } = new SocketAddress({ address: expanded, family: 'ipv6' });
        expect(isPublicAddress(compressed)).toBe(isPublicAddress(expanded.toUpperCase()));
      }),
    );
  });
});

describe('parseAllowedNetworks', () => {
  it('allows the given networks and nothing else', () => {
    const allowed = parseAllowedNetworks(' 127.0.0.0/8, ::1/128 ,10.1.0.0/16');
    const inside = ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '10.1.255.255', '1.1.1.1'];
    const beside = ['10.2.0.0', '::2', '192.168.0.1', '169.254.169.254', 'localhost', '::1%lo'];
    expect([...inside, ...beside].filter((address) => isPermittedAddress(address, allowed))).toEqual(inside);
  });

  it('allows nothing when empty', () => {
    expect(parseAllowedNetworks('')).toEqual([]);
    expect(parseAllowedNetworks('  ')).toEqual([]);
    expect(isPermittedAddress('127.0.0.1', [])).toBe(false);
  });

  test.each([
    '127.0.0.1',
    'localhost/8',
    '127.0.0.0/',
    '127.0.0.0/33',
    '::1/129',
    '127.0.0.0/8/8',
    '127.0.0.0/-1',
    '127.0.0.0/8.5',
    '127/8',
    '::ffff:10.0.0.0/8',
    'fe80::%eth0/10',
    '127.0.0.0/8,',
    '127.0.0.0/8;::1/128',
  ])('refuses %j, naming the entry', (text) => {
    expect(() => parseAllowedNetworks(text)).toThrow(/^WEBHOOK_ALLOWED_NETWORKS: ".*" /);
  });

  it('refuses a network with bits set after its prefix, because it would allow more addresses than it appears to', () => {
    expect(() => parseAllowedNetworks('10.0.0.5/8')).toThrow('for the single address write 10.0.0.5/32');
    expect(() => parseAllowedNetworks('fd00::5/8')).toThrow('for the single address write fd00::5/128');
  });

  it('permits exactly the IPv4 addresses that share the prefix', () => {
    fc.assert(
      fc.property(ipv4Parts, ipv4Parts, fc.integer({ min: 1, max: 32 }), (networkParts, addressParts, prefixLength) => {
        const mask = (0xffffffff << (32 - prefixLength)) >>> 0;
        const number = (parts: readonly number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);
        const base = (number(networkParts) & mask) >>> 0;
        const baseText = dotted([24, 16, 8, 0].map((shift) => (base >>> shift) & 255));
        const inside = (number(addressParts) & mask) >>> 0 === base;
        const address = dotted(addressParts);
        const allowed = parseAllowedNetworks(`${baseText}/${prefixLength}`);
        expect(isPermittedAddress(address, allowed)).toBe(inside || isPublicAddress(address));
      }),
    );
  });
});
