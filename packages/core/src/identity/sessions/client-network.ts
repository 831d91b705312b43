import ipaddr from 'ipaddr.js';

/** Length of the prefix of the largest IPv6 network that providers usually assign to one customer. */
const IPV6_PREFIX_BITS = 56;

/**
 * Returns the key by which a client's address is counted (docs/rules/platform.md#rate-limits): the IPv4 address, even if it is written as IPv6
 * (`::ffff:192.0.2.1`), or the IPv6 /56 network. If single IPv6 addresses were counted, one customer with many of them could evade the limits.
 * Text that is not an address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bare = new ipaddr.IPv6((parsed as ipaddr.IPv6).parts);
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${bare.toString()}/${IPV6_PREFIX_BITS}`).toString()}/${IPV6_PREFIX_BITS}`;
}
