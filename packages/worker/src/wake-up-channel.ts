import type { Logger, WakeUps } from '@affiliate/core';
import { setTimeout } from 'node:timers/promises';
import { SocketClient } from '@affiliate/postgres';
import { endSession } from './end-session.ts';

const CHANNEL = 'affiliate_deliveries';
const LISTEN = `listen ${CHANNEL}`;
/** Maximum number of ids in one notification, because PostgreSQL limits payloads to less than 8,000 bytes. */
const IDS_AT_ONCE = 150;
/**
 * Pause after each notification, during which further ids are collected. Committing a notification takes a lock that the whole database server
 * shares. The first notification of a burst is sent at once.
 */
const BURST_MS = 4;
/** Time limit for an answer. After that, the session is given up, because the network may have dropped its connection silently. */
const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 5_000;

export interface WakeUpChannelOptions {
  /** Connection string of the service's database. It must not point to a pooler in transaction mode. */
  url: string;
  log: Logger;
}

interface Session {
  client: SocketClient;
  ready: Promise<void>;
}

/**
 * Wakes workers by LISTEN and NOTIFY, over one connection of the process. Every worker receives every wake-up. The worker that gets the
 * endpoint's lock makes the deliveries. If a wake-up is lost, the next sweep finds its deliveries.
 */
export class WakeUpChannel {
  /** Sends wake-ups. The core calls it (`Services.wakeUps`). */
  readonly wakeUps: WakeUps;
  readonly #url: string;
  readonly #log: Logger;
  #session: Session | null = null;
  #onWakeUp: ((endpointIds: string[]) => void) | null = null;
  #heartbeat: NodeJS.Timeout | undefined;
  #waiting = new Set<string>();
  #sending: Promise<void> | null = null;

  constructor({ url, log }: WakeUpChannelOptions) {
    this.#url = url;
    this.#log = log;
    this.wakeUps = {
      deliveries: (endpointIds) => {
        for (const id of endpointIds) this.#waiting.add(id);
        if (this.#waiting.size > 0) this.#sending ??= this.#sendWaiting();
      },
    };
  }

  /**
   * Starts to listen. Calls `onWakeUp` with the endpoint ids of each wake-up, including wake-ups that this process sent. Resolves when
   * the session is listening.
   */
  async listen(onWakeUp: (endpointIds: string[]) => void): Promise<void> {
    this.#onWakeUp = onWakeUp;
    await this.#query(LISTEN);
    this.#heartbeat = setInterval(() => void this.#checkSession(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Stops listening. Wake-ups are still sent. */
  unlisten(): void {
    this.#onWakeUp = null;
    clearInterval(this.#heartbeat);
  }

  /** Sends the pending wake-ups and disconnects. */
  async close(): Promise<void> {
    while (this.#sending) await this.#sending;
    this.unlisten();
    const session = this.#session;
    this.#session = null;
    if (session) await endSession(session.client);
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting].slice(0, IDS_AT_ONCE);
      for (const id of ids) this.#waiting.delete(id);
      try {
        await this.#query(`select pg_notify('${CHANNEL}', $1)`, [ids.join(' ')]);
      } catch (err) {
        this.#log.warn({ err, endpoint_ids: ids }, 'wake-up not sent; the next sweep will find the deliveries');
      }
      await setTimeout(BURST_MS);
    }
    this.#sending = null;
  }

  /** Sends a query, so that a lost session is noticed and dropped. If there is no session, opens a new one, which listens again. */
  async #checkSession(): Promise<void> {
    try {
      await this.#query('select');
    } catch (err) {
      this.#log.warn({ err }, 'wake-ups cannot be received at the moment; sweeps find the deliveries instead');
    }
  }

  async #query(text: string, values?: unknown[]): Promise<void> {
    const session = (this.#session ??= this.#open());
    try {
      await session.ready;
      await session.client.query(text, values);
    } catch (error) {
      this.#drop(session.client);
      throw error;
    }
  }

  #open(): Session {
    const client = new SocketClient({
      connectionString: this.#url,
      application_name: 'affiliate wake-ups',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('notification', ({ payload = '' }) => this.#onWakeUp?.(payload.split(' ')));
    client.on('error', (err) => this.#log.warn({ err }, 'lost the session that carried wake-ups'));
    client.on('end', () => this.#drop(client));
    return { client, ready: this.#prepare(client) };
  }

  async #prepare(client: SocketClient): Promise<void> {
    await client.connect();
    if (this.#onWakeUp) await client.query(LISTEN);
  }

  /** Drops a session. The next query opens another one. */
  #drop(client: SocketClient): void {
    if (this.#session?.client !== client) return;
    this.#session = null;
    void endSession(client);
  }
}
