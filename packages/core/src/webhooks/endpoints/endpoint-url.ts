/**
 * Validates a webhook endpoint's URL (docs/rules/webhooks.md#addresses): when an endpoint is saved, and again before every delivery. The
 * worker then connects to the addresses returned here.
 */
import { Reason } from '../../platform/texts/reason.ts';
import { WEBHOOK_REASONS } from '../reasons.ts';
import { type AllowedNetworks, isPermittedAddress } from './public-address.ts';

/** Longest accepted URL, in UTF-16 code units. */
export const MAX_ENDPOINT_URL_LENGTH = 2048;

/**
 * Resolves a host name to all its addresses, as canonical text. Rejects if that fails. The application provides the function, so that this
 * room does no I/O of its own.
 */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Error codes of a delivery (docs/rules/webhooks.md#deliveries) that are known before connecting. */
type EndpointUrlErrorCode = 'invalid_uri' | 'private_uri' | 'dns_error';

export type EndpointUrlCheck =
  | { readonly ok: true; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly code: EndpointUrlErrorCode; readonly message: Reason };

/**
 * Checks whether webhooks may be sent to `url`. Resolves its host at most once. Every address of the host must be permitted: a name with
 * one public and one private record is refused.
 *
 * The check applies to addresses, not to their spelling: the WHATWG parser has turned `2130706433`, `0x7f.1`, `127.1`, `127.0.0.1.` and
 * full-width digits into `127.0.0.1`, and international names into punycode. There is no special rule for names such as `localhost`,
 * because only their addresses count. The message never contains an address, which may come from an internal name server.
 */
export async function checkEndpointUrl(
  url: string,
  { allowed, resolve }: { allowed: AllowedNetworks; resolve: ResolveHost },
): Promise<EndpointUrlCheck> {
  const parsed = parseEndpointUrl(url);
  if (parsed instanceof Reason) return { ok: false, code: 'invalid_uri', message: parsed };

  const addresses = literalAddress(parsed) ?? (await resolveOrNull(parsed.hostname, resolve));
  if (addresses === null)
    return { ok: false, code: 'dns_error', message: WEBHOOK_REASONS.host_not_found({ host: parsed.hostname }) };
  if (!addresses.every((address) => isPermittedAddress(address, allowed))) {
    return { ok: false, code: 'private_uri', message: WEBHOOK_REASONS.host_private({ host: parsed.hostname }) };
  }
  return { ok: true, url: parsed, addresses };
}

/** Parses the URL. If it cannot be an endpoint, returns the error message instead. */
function parseEndpointUrl(url: string): URL | Reason {
  if (url.length > MAX_ENDPOINT_URL_LENGTH) return WEBHOOK_REASONS.url_too_long({ max: MAX_ENDPOINT_URL_LENGTH });
  const parsed = URL.parse(url);
  if (parsed === null) return WEBHOOK_REASONS.no_url;
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return WEBHOOK_REASONS.other_scheme;
  if (!isPermittedPort(parsed)) return WEBHOOK_REASONS.port_not_allowed;
  if (parsed.username !== '' || parsed.password !== '') return WEBHOOK_REASONS.url_with_credentials;
  return parsed;
}

/**
 * Returns the address if the host of a URL is an IP address, otherwise null. The URL parser writes every IPv4 address as four decimal numbers,
 * and puts every IPv6 address in brackets.
 */
function literalAddress({ hostname }: URL): readonly string[] | null {
  if (hostname.startsWith('[')) return [hostname.slice(1, -1)];
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? [hostname] : null;
}

async function resolveOrNull(hostname: string, resolve: ResolveHost): Promise<readonly string[] | null> {
  try {
    const addresses = await resolve(hostname);
    return addresses.length > 0 ? addresses : null;
  } catch {
    return null;
  }
}

declare module '../../platform/call/context.ts' {
  interface Services {
    /** Resolver for the hosts of webhook receivers, and the non-public networks that are allowed. */
    webhooks: { resolve: ResolveHost; allowed: AllowedNetworks };
  }
}

/** Lowest port that programs without privileges may use. Lower ports are used by system services such as SSH, SMTP and LDAP. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Ports of well-known email and database servers. Some of them understand commands in the body of an HTTP request, so webhooks must not
 * be able to reach them.
 */
const REFUSED_PORTS = new Set([
  2525, // SMTP, where port 25 is blocked
  1433, // Microsoft SQL Server
  1434, // Microsoft SQL Server Browser
  1521, // Oracle
  2379, // etcd clients
  2380, // etcd peers
  2483, // Oracle
  2484, // Oracle with TLS
  3050, // Firebird
  3306, // MySQL, MariaDB
  5432, // PostgreSQL
  5433, // PostgreSQL, a second cluster
  5984, // CouchDB
  6379, // Redis, Valkey
  6380, // Redis with TLS
  6432, // PgBouncer
  7687, // Neo4j
  8086, // InfluxDB
  8529, // ArangoDB
  9042, // Cassandra, ScyllaDB
  9160, // Cassandra over Thrift
  9200, // Elasticsearch, OpenSearch
  9300, // Elasticsearch nodes
  11211, // memcached
  16379, // Redis cluster bus
  26257, // CockroachDB
  26379, // Redis Sentinel
  27017, // MongoDB
  27018, // MongoDB shards
  27019, // MongoDB config servers
  28015, // RethinkDB
]);

/** True if webhooks may be sent to the port of this URL (docs/rules/webhooks.md#addresses). */
function isPermittedPort({ port }: URL): boolean {
  // The port is empty if it is the default port of the scheme, because the URL parser removes it.
  if (port === '' || port === '80' || port === '443') return true;
  const number = Number(port);
  return number >= FIRST_UNPRIVILEGED_PORT && !REFUSED_PORTS.has(number);
}
