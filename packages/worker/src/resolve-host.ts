import { Resolver } from 'node:dns/promises';
import type { ResolveHost } from '@affiliate/core';
import { LRUCache } from 'lru-cache';

/** A burst to one endpoint asks once; a moved receiver is found within this time. */
const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED_NAMES = 10_000;

/** The second try waits twice as long: 6 s in all, which leaves most of an exchange's 15 s to the receiver. */
const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

interface HostResolverOptions {
  /** Name servers as `address` or `address:port`; those of the operating system by default. */
  servers?: readonly string[];
  queryTimeoutMs?: number;
}

/**
 * Resolves host names over DNS, IPv4 addresses first.
 *
 * `dns.lookup` would not do: it runs in the thread pool, where two names with a dead name server are enough to hold up every other
 * look-up of the process, and with it every other tenant's deliveries. The price is that the hosts file is not read; `localhost` is
 * answered here, as RFC 6761 asks for.
 */
export function createHostResolver({ servers, queryTimeoutMs = QUERY_TIMEOUT_MS }: HostResolverOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const remembered = new LRUCache<string, readonly string[]>({
    max: MAX_REMEMBERED_NAMES,
    ttl: REMEMBERED_MS,
    fetchMethod: (hostname) => queryAddresses(resolver, hostname),
  });
  return async (hostname) => {
    if (/^(?:.+\.)?localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    return (await remembered.fetch(hostname)) ?? [];
  };
}

/** @throws when neither family has an address: the error of the IPv4 query. */
async function queryAddresses(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
}
