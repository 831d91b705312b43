import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from './socket-client.ts';

/** Interval at which the session checks that notifications arrive, and the time limit of one check. */
const PROOF_EVERY_MS = 2_000;
const PROOF_WITHIN_MS = 3_000;
const RECONNECT_MS = 250;
const PROOF = 'proof ';

export interface NoticesOptions {
  /** Connection string. It must not point to a pooler in transaction mode. */
  url: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** Called when the session is listening: every later notification will be received. */
  onHeard: () => void;
  /** Called when the session is lost: notifications may be missed until the next `onHeard`. */
  onLost: () => void;
}

/**
 * Listens to a PostgreSQL channel over its own connection, and checks that notifications arrive.
 *
 * A listener is not informed when the network drops its connection, or when a pooler does not pass notifications on. The session
 * therefore sends a notification to itself at regular intervals. Notifications arrive in the order of commits, so the arrival of this
 * one proves that all earlier notifications have arrived.
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

  /**
   * Starts to listen. Resolves once a check has shown that notifications arrive, or once the first attempt to connect has failed. In the
   * second case, further attempts follow in the background.
   */
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

  /** Runs one session: connects, listens and checks. Ends when the session is lost. */
  async #session(heard: () => void): Promise<void> {
    const { url, channel, onNotice, onHeard } = this.#options;
    const { signal } = this.#end;
    const client = await openSession(url, {
      name: 'affiliate notices',
      connectMs: PROOF_WITHIN_MS,
      answerMs: PROOF_WITHIN_MS,
    });
    const lost = new AbortController();
    const lose = () => lost.abort();
    signal.addEventListener('abort', lose, { once: true });
    // `close` may have been called while the session was being opened. An event of the past is not heard.
    if (signal.aborted) lose();
    client.on('error', lose);
    client.on('end', lose);
    let proven = Promise.withResolvers<void>();
    client.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(PROOF)) onNotice(payload);
      else if (payload === `${PROOF}${this.#id}`) proven.resolve();
    });
    try {
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
      client.endNow();
    }
  }
}
