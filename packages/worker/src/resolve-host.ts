import { Resolver } from 'node:dns/promises';
import type { ResolveHost, ResolveTexts } from '@affiliate/core';
import { LRUCache } from 'lru-cache';

/**
 * How long addresses are cached. During a burst, the host of an endpoint is resolved once. A receiver that moves to another address
 * is found after this time.
 */
const CACHE_MS = 5_000;
const MAX_CACHED_NAMES = 10_000;

/**
 * Time limit of the first query. The second query has twice as long, so a look-up takes at most 6 s. That leaves most of an exchange's 15 s
 * to the receiver.
 */
const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
const NO_RECORDS: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

interface HostResolverOptions {
  /** Name servers as `address` or `address:port`. Default: those of the operating system. */
  servers?: readonly string[];
  queryTimeoutMs?: number;
}

/**
 * Creates a resolver of host names over DNS. It returns IPv4 addresses first.
 *
 * It does not use `dns.lookup`, which runs in the thread pool: two names whose name server is down would block all other look-ups of the
 * process, including those for other tenants' deliveries. As a consequence, the hosts file is not read. `localhost` resolves to loopback,
 * as RFC 6761 requires.
 */
export function createHostResolver({ servers, queryTimeoutMs = QUERY_TIMEOUT_MS }: HostResolverOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cache = new LRUCache<string, readonly string[]>({
    max: MAX_CACHED_NAMES,
    ttl: CACHE_MS,
    fetchMethod: (hostname) => queryAddresses(resolver, hostname),
  });
  return async (hostname) => {
    if (/^(?:.+\.)?localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    return (await cache.fetch(hostname)) ?? [];
  };
}

/**
 * Creates a resolver of TXT records over DNS. It returns an empty list for a name without TXT records, even if the name does not exist. It
 * rejects if the name servers do not answer.
 */
export function createTextResolver({ servers, queryTimeoutMs = QUERY_TIMEOUT_MS }: HostResolverOptions = {}): ResolveTexts {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      if (NO_RECORDS.has((error as NodeJS.ErrnoException).code)) return [];
      throw error;
    }
  };
}

/**
 * Queries IPv4 and IPv6 addresses in parallel.
 *
 * @throws the error of the IPv4 query if no address was found
 */
async function queryAddresses(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
}
