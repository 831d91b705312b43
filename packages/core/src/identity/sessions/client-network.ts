import ipaddr from 'ipaddr.js';

/** Providers assign one customer an IPv6 network of up to this size. */
const IPV6_PREFIX_BITS = 56;

/**
 * The network by which a client's address is counted (docs/domain-rules.md#rate-limits): the IPv4 address itself, even if it is written
 * as IPv6 (`::ffff:192.0.2.1`), or the IPv6 /56 network. Otherwise each address of one customer would have limits of its own. Text that
 * is not an address counts as it is.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bare = new ipaddr.IPv6((parsed as ipaddr.IPv6).parts);
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${bare.toString()}/${IPV6_PREFIX_BITS}`).toString()}/${IPV6_PREFIX_BITS}`;
}
