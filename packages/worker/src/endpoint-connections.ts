import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { buildConnector, Pool } from 'undici';

/** TLS verification or negotiation failed; `cause` is the original error. */
export class TlsHandshakeError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'TlsHandshakeError';
  }
}

/** Longest wait for a connection to be ready, TLS included (docs/domain-rules.md#deliveries). */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * How long an idle connection is kept, whatever the receiver's Keep-Alive header offers. Long enough for a burst to reuse it; short
 * because a POST written to a connection that the receiver is closing at that moment is lost.
 */
const IDLE_CONNECTION_MS = 1_000;

/** How long one address of a host is tried before the next one is (Happy Eyeballs, RFC 8305). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

const MAX_RESPONSE_HEAD_BYTES = 16 * 1024;

interface EndpointConnectionsOptions {
  /** Endpoints whose connections are kept; the ones unused for longest are closed first. */
  maxEndpoints?: number;
  connectTimeoutMs?: number;
}

/**
 * Keep-alive connections to webhook receivers. They are never shared between endpoints, so that one tenant's slow receiver takes
 * no other's connections, and they reach only the addresses they were opened for.
 */
export class EndpointConnections {
  readonly #pools: LRUCache<string, Pool>;
  readonly #connectTimeoutMs: number;

  constructor({ maxEndpoints = 1_000, connectTimeoutMs = CONNECT_TIMEOUT_MS }: EndpointConnectionsOptions = {}) {
    this.#connectTimeoutMs = connectTimeoutMs;
    // `close` lets the exchanges under way finish.
    this.#pools = new LRUCache<string, Pool>({ max: maxEndpoints, dispose: (pool) => void pool.close() });
  }

  /**
   * The connections of one endpoint to the origin of `url`, which go to `addresses` and nowhere else: no name is looked up. Use the
   * pool at once and ask anew for the next exchange, for a pool not in use may be closed.
   *
   * @param addresses every one already checked; the first that answers is used.
   */
  poolFor(endpointId: string, url: URL, addresses: readonly string[]): Pool {
    const key = [endpointId, url.origin, ...addresses.toSorted()].join(' ');
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = openPool(url, addresses, this.#connectTimeoutMs);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Closes every connection once the exchanges under way are over. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

function openPool(url: URL, addresses: readonly string[], connectTimeoutMs: number): Pool {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    servername: serverName(url),
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  });
  return new Pool(url.origin, {
    allowH2: false,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(options.protocol === 'https:' && isAfterTcpConnect(error) ? new TlsHandshakeError(error) : error, null);
      }),
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    maxHeaderSize: MAX_RESPONSE_HEAD_BYTES,
    // These are idle timeouts: a response that comes byte by byte never meets them. The caller bounds the whole exchange instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** The name for SNI and for the certificate check; none for an IP address. The dot of an absolute name is no part of it. */
function serverName({ hostname }: URL): string | undefined {
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress ? undefined : hostname.replace(/\.$/, '');
}

/** Stands in for DNS when a socket connects to a name. For a literal address the socket asks no one and takes the address itself. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => {
    callback(null, records);
  };
}

/** Whether connecting failed later than in TCP: undici reports a timeout, and the system an error of its `connect` call. */
function isAfterTcpConnect(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== 'UND_ERR_CONNECT_TIMEOUT' && syscall !== 'connect' && !(error instanceof AggregateError);
}
