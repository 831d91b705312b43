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
 * Time that an idle connection is kept, whatever the receiver's Keep-Alive header offers: long enough for a burst to reuse it, and short,
 * because a POST written while the receiver closes the connection is lost.
 */
const IDLE_CONNECTION_MS = 1_000;

/** Time before the next address of a host is tried as well (Happy Eyeballs, RFC 8305). */
const NEXT_ADDRESS_AFTER_MS = 1_000;

const MAX_RESPONSE_HEAD_BYTES = 16 * 1024;

interface EndpointConnectionsOptions {
  /** Number of endpoints whose connections are kept; the least recently used are closed first. */
  maxEndpoints?: number;
  connectTimeoutMs?: number;
}

/**
 * Keep-alive connections to webhook receivers. Endpoints never share connections, so that a slow receiver of one tenant does not use up those
 * of another. A connection reaches only the addresses it was opened for.
 */
export class EndpointConnections {
  readonly #pools: LRUCache<string, Pool>;
  readonly #connectTimeoutMs: number;

  constructor({ maxEndpoints = 1_000, connectTimeoutMs = CONNECT_TIMEOUT_MS }: EndpointConnectionsOptions = {}) {
    this.#connectTimeoutMs = connectTimeoutMs;
    // `close` waits for running exchanges.
    this.#pools = new LRUCache<string, Pool>({ max: maxEndpoints, dispose: (pool) => void pool.close() });
  }

  /**
   * The connections of one endpoint to the origin of `url`. They go to `addresses` only; no name is resolved. Use the pool at once and get it
   * again for the next exchange: an unused pool may be closed.
   *
   * @param addresses checked by the caller; the first that answers is used
   */
  poolFor(endpointId: string, url: URL, addresses: readonly string[]): Pool {
    const key = [endpointId, url.origin, ...addresses.toSorted()].join(' ');
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = openPool(url, addresses, this.#connectTimeoutMs);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Closes every connection when its running exchanges have ended. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

/** Connections to `addresses` only. */
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
    // These are idle timeouts, which a response that arrives byte by byte never reaches. The caller limits the whole exchange instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** The name for SNI and the certificate check, without the final dot of an absolute name. Undefined for an IP address. */
function serverName({ hostname }: URL): string | undefined {
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress ? undefined : hostname.replace(/\.$/, '');
}

/** Replaces DNS when a socket connects to a name. A socket to a literal address does not call it. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => {
    callback(null, records);
  };
}

/** True if connecting failed after TCP was established. Before that, undici reports a timeout, or the system an error of `connect`. */
function isAfterTcpConnect(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== 'UND_ERR_CONNECT_TIMEOUT' && syscall !== 'connect' && !(error instanceof AggregateError);
}
