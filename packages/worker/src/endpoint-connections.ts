import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { buildConnector, Pool } from 'undici';

/** TLS negotiation or certificate verification failed. `cause` is the original error. */
export class TlsHandshakeError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'TlsHandshakeError';
  }
}

/** Maximum time until a connection is ready, including TLS (docs/rules/webhooks.md#deliveries). */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * How long an idle connection is kept, whatever the receiver's Keep-Alive header says. Long enough for reuse during a burst. Short,
 * because a POST is lost if it is written while the receiver closes the connection.
 */
const IDLE_CONNECTION_MS = 1_000;

/** Time after which the next address of a host is tried in parallel (Happy Eyeballs, RFC 8305). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

const MAX_RESPONSE_HEAD_BYTES = 16 * 1024;

interface EndpointConnectionsOptions {
  /**
   * Maximum number of connection pools. Each pool serves one endpoint at one set of addresses. Above this number, the least recently used pool is
   * closed.
   */
  maxEndpoints?: number;
  connectTimeoutMs?: number;
}

/**
 * Keep-alive connections to webhook receivers. Endpoints never share connections, so that a slow receiver does not use up the connections of
 * another tenant. A connection is only used for the addresses it was opened for.
 */
export class EndpointConnections {
  readonly #pools: LRUCache<string, Pool>;
  readonly #connectTimeoutMs: number;

  constructor({ maxEndpoints = 1_000, connectTimeoutMs = CONNECT_TIMEOUT_MS }: EndpointConnectionsOptions = {}) {
    this.#connectTimeoutMs = connectTimeoutMs;
    // `pool.close()` waits for running exchanges.
    this.#pools = new LRUCache<string, Pool>({ max: maxEndpoints, dispose: (pool) => void pool.close() });
  }

  /**
   * Returns the connections of one endpoint to the origin of `url`. They connect only to `addresses` and do not resolve the host name. Get
   * the pool anew for each exchange and use it at once, because an unused pool may be closed.
   *
   * @param addresses addresses that the caller has checked; the first to answer is used
   */
  poolFor(endpointId: string, url: URL, addresses: readonly string[]): Pool {
    const key = [endpointId, url.origin, ...addresses.toSorted()].join(' ');
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = openPool(url, addresses, this.#connectTimeoutMs);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Closes each connection after its running exchange. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

export function openPool(url: URL, addresses: readonly string[], connectTimeoutMs: number): Pool {
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
    // These two timeouts are turned off, because they only limit idle time. A slow response that keeps sending single bytes would never
    // reach them. The caller limits the whole exchange instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Returns the server name for SNI and the certificate check, without the final dot of an absolute name. Undefined for an IP address. */
function serverName({ hostname }: URL): string | undefined {
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress ? undefined : hostname.replace(/\.$/, '');
}

/** Returns a look-up function that yields `addresses` without asking DNS. Sockets call it to connect to a name, but not to a literal address. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => {
    callback(null, records);
  };
}

/**
 * True if connecting failed after the TCP connection was established. Earlier failures are a connect timeout of undici or a system error of
 * `connect`.
 */
function isAfterTcpConnect(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== 'UND_ERR_CONNECT_TIMEOUT' && syscall !== 'connect' && !(error instanceof AggregateError);
}
