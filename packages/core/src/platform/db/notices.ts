import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Interval in which the session proves that notifications arrive, and the time that a proof may take. */
const PROOF_EVERY_MS = 2_000;
const PROOF_WITHIN_MS = 3_000;
const RECONNECT_MS = 250;
const PROOF = 'proof ';

export interface NoticesOptions {
  /** Connection string; not through a pooler in transaction mode. */
  url: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** From now on every notification of a committed transaction is heard. */
  onHeard: () => void;
  /** Notifications may be missed until `onHeard`. */
  onLost: () => void;
}

/**
 * Listens to a channel of PostgreSQL over a connection of its own, and knows whether it hears everything: it notifies itself, because a
 * connection that the network dropped, or a pooler in between, says nothing. Notifications arrive in the order of commits, so one that is
 * heard proves that those before it were.
 */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #id = randomBytes(6).toString('base64url');
  readonly #end = new AbortController();
  #isHeard = false;
  #running: Promise<void> | null = null;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** Settles when notifications are heard, or the first connection has failed; it goes on trying. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#running = this.#run(resolve);
    });
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(tried: () => void): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#session(tried).catch(() => undefined);
      if (this.#isHeard) this.#options.onLost();
      this.#isHeard = false;
      tried();
      await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Ends when the session is lost. */
  async #session(heard: () => void): Promise<void> {
    const { url, channel, onNotice, onHeard } = this.#options;
    const { signal } = this.#end;
    const client = new Client({
      connectionString: url,
      application_name: 'affiliate notices',
      connectionTimeoutMillis: PROOF_WITHIN_MS,
      query_timeout: PROOF_WITHIN_MS,
    });
    const lost = new AbortController();
    const lose = () => lost.abort();
    signal.addEventListener('abort', lose, { once: true });
    client.on('error', lose);
    client.on('end', lose);
    let proven = Promise.withResolvers<void>();
    client.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(PROOF)) onNotice(payload);
      else if (payload === `${PROOF}${this.#id}`) proven.resolve();
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      while (!lost.signal.aborted) {
        proven = Promise.withResolvers();
        await client.query('select pg_notify($1, $2)', [channel, `${PROOF}${this.#id}`]);
        await Promise.race([
          proven.promise,
          sleep(PROOF_WITHIN_MS, undefined, { signal: lost.signal, ref: false }).then(() => {
            throw new Error('The notification did not arrive.');
          }),
        ]);
        if (!this.#isHeard) {
          this.#isHeard = true;
          onHeard();
          heard();
        }
        await sleep(PROOF_EVERY_MS, undefined, { signal: lost.signal, ref: false });
      }
    } finally {
      signal.removeEventListener('abort', lose);
      // Sends a goodbye, and does not wait for an answer that a lost connection would never give.
      client.end().catch(() => undefined);
      const { stream } = (client as unknown as { connection: { stream: { destroySoon(): void } } }).connection;
      stream.destroySoon();
    }
  }
}
