/**
 * Decides which IP addresses webhooks may be sent to (docs/rules/webhooks.md#addresses).
 *
 * IPv4 addresses are public unless listed as special. IPv6 addresses are public only inside 2000::/3 and outside its special blocks, e.g.
 * those that embed an IPv4 address or tunnel to one. `ipaddr.js` parses addresses and compares subnets. Its own `range()` is not used,
 * because it wrongly returns "unicast" for `::7f00:1`, an IPv4-compatible form of 127.0.0.1, and for the metadata address of a large
 * cloud.
 */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [base: Address, prefixLength: number];

/** Networks that the operator allows although they are not public, for development. Empty in production. */
export type AllowedNetworks = readonly Network[];

/** Blocks of the IANA special-purpose registry for IPv4, and cloud services at addresses that look public. */
const NOT_PUBLIC_IPV4 = networks(
  '0.0.0.0/8', // "this network"; 0.0.0.0 reaches the local host
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared address space (CGNAT); holds 100.100.100.200, a cloud's metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host agent and metadata service
  '169.254.0.0/16', // link-local; holds 169.254.169.254, the usual metadata service
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // IETF protocol assignments; holds 192.0.0.192, a cloud's metadata service
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112 name servers
  '192.52.193.0/24', // automatic multicast tunnelling
  '192.88.99.0/24', // 6to4 relays, withdrawn
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112 name servers
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the limited broadcast address
);

const GLOBAL_UNICAST_IPV6 = networks('2000::/3');

/**
 * Networks inside 2000::/3 that are not public. The non-public networks outside 2000::/3 (`::/8`, NAT64 `64:ff9b::/96`, unique local,
 * link-local, multicast) need no entry, because everything outside 2000::/3 is refused.
 */
const NOT_PUBLIC_IPV6 = networks(
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries an IPv4 address
  '2620:4f:8000::/48', // AS112 name servers
  '3ffe::/16', // 6bone, returned
  '3fff::/20', // documentation
);

function networks(...blocks: string[]): Network[] {
  return blocks.map((block) => ipaddr.parseCIDR(block));
}

/**
 * Parses an address as a resolver returns it. An IPv4-mapped address becomes its IPv4 address. Returns null for any other text, including
 * short, octal or hexadecimal IPv4 (which a URL parser has already normalized) and addresses with a zone.
 */
function readAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isWithin(address: Address, blocks: readonly Network[]): boolean {
  return blocks.some(([base, prefixLength]) => base.kind() === address.kind() && address.match(base, prefixLength));
}

function isGlobalUnicast(address: Address): boolean {
  if (address.kind() === 'ipv4') return !isWithin(address, NOT_PUBLIC_IPV4);
  return isWithin(address, GLOBAL_UNICAST_IPV6) && !isWithin(address, NOT_PUBLIC_IPV6) && !isIsatap(address as ipaddr.IPv6);
}

/**
 * Reports whether an address is an ISATAP address (RFC 5214, section 6.1). Its interface id begins with `0000:5efe` or `0200:5efe`, and
 * packets are tunneled to the IPv4 address that follows.
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & ~0x0200) === 0 && parts[5] === 0x5efe;
}

/** Reports whether `address` is a global unicast address. False for text that is not a canonical IP address. */
export function isPublicAddress(address: string): boolean {
  const parsed = readAddress(address);
  return parsed !== null && isGlobalUnicast(parsed);
}

/** Reports whether webhooks may be sent to `address`: it is public, or in a network that the operator allows. */
export function isPermittedAddress(address: string, allowed: AllowedNetworks): boolean {
  const parsed = readAddress(address);
  return parsed !== null && (isGlobalUnicast(parsed) || isWithin(parsed, allowed));
}

/**
 * Parses the value of `WEBHOOK_ALLOWED_NETWORKS`: networks in CIDR notation separated by commas, e.g. `127.0.0.0/8,::1/128`. An empty text
 * allows nothing.
 *
 * @throws {Error} naming the entry that is not a network, so that a typing error stops the start instead of allowing more, or less, than
 * intended
 */
export function parseAllowedNetworks(text: string): AllowedNetworks {
  if (text.trim() === '') return [];
  return text.split(',').map((entry) => parseAllowedNetwork(entry.trim()));
}

function parseAllowedNetwork(entry: string): Network {
  const [base = '', prefix = '', ...rest] = entry.split('/');
  const address = readAddress(base);
  // An IPv4-mapped base is refused, because the prefix length in `::ffff:10.0.0.0/8` could refer to 32 bits or to 128.
  const isMapped = address?.kind() === 'ipv4' && base.includes(':');
  if (address === null || isMapped || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) {
    throw new Error(`WEBHOOK_ALLOWED_NETWORKS: "${entry}" is not a network in CIDR notation, e.g. 127.0.0.0/8 or ::1/128`);
  }
  const prefixLength = Number(prefix);
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  if (prefixLength > bits) throw new Error(`WEBHOOK_ALLOWED_NETWORKS: "${entry}" has a prefix length above ${bits}`);
  if (firstAddress(address, prefixLength) !== address.toNormalizedString()) {
    throw new Error(
      `WEBHOOK_ALLOWED_NETWORKS: "${entry}" has bits set after its prefix; for the single address write ${base}/${bits}`,
    );
  }
  return [address, prefixLength];
}

function firstAddress(address: Address, prefixLength: number): string {
  const block = `${address.toNormalizedString()}/${prefixLength}`;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(block).toNormalizedString();
}
