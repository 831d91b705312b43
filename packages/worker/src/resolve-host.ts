import { Resolver } from 'node:dns/promises';
import type { ResolveHost, ResolveTexts } from '@affiliate/core';
import { LRUCache } from 'lru-cache';

/** A burst to one endpoint resolves its host once; a receiver that moved is found within this time. */
const CACHE_MS = 5_000;
const MAX_CACHED_NAMES = 10_000;

/** The second query waits twice as long: 6 s in total, which leaves most of an exchange's 15 s to the receiver. */
const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
const NO_RECORDS: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

interface HostResolverOptions {
  /** Name servers as `address` or `address:port`; those of the operating system by default. */
  servers?: readonly string[];
  queryTimeoutMs?: number;
}

/**
 * Resolves host names over DNS, IPv4 addresses first.
 *
 * It does not use `dns.lookup`, which runs in the thread pool: two names with a dead name server would block every other look-up of the
 * process, and with it the deliveries of other tenants. In return the hosts file is not read. `localhost` resolves to loopback, as RFC 6761
 * requires.
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

/** Reads TXT records over DNS. A name without any has none, whether or not it exists; silent name servers are an error. */
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

/** @throws the error of the IPv4 query when neither family has an address */
async function queryAddresses(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return addresses;
}
