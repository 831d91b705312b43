import type { Logger, WakeUps } from '@affiliate/core';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { endSession } from './end-session.ts';

const CHANNEL = 'affiliate_deliveries';
const LISTEN = `listen ${CHANNEL}`;
/** Ids in one notification: PostgreSQL takes payloads below 8,000 bytes. */
const IDS_AT_ONCE = 150;
/** Pause between the notifications of a burst, the first of which goes at once. Committing one takes a lock that all of the server share. */
const BURST_MS = 4;
/** A session that takes longer to answer is given up: a connection that the network dropped says nothing. */
const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 5_000;

export interface WakeUpChannelOptions {
  /** Connection string of the service's database; not through a pooler in transaction mode. */
  url: string;
  log: Logger;
}

interface Session {
  client: Client;
  ready: Promise<void>;
}

/**
 * Wakes workers by LISTEN and NOTIFY, over one connection of this process. Every worker hears every wake-up; the endpoint's lock decides which
 * of them does the work. What a lost wake-up announced is found by the sweep.
 */
export class WakeUpChannel {
  /** The port of the core (`Services`), which announces deliveries. */
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

  /** Calls `onWakeUp` with the endpoints of incoming wake-ups, those of this process too. Settles once they are heard. */
  async listen(onWakeUp: (endpointIds: string[]) => void): Promise<void> {
    this.#onWakeUp = onWakeUp;
    await this.#query(LISTEN);
    this.#heartbeat = setInterval(() => void this.#checkSession(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Hears no more wake-ups; they are still sent. */
  unlisten(): void {
    this.#onWakeUp = null;
    clearInterval(this.#heartbeat);
  }

  /** Sends the waiting wake-ups and disconnects. */
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
        this.#log.warn({ err, endpoint_ids: ids }, 'wake-up not sent; the next sweep finds the deliveries');
      }
      await setTimeout(BURST_MS);
    }
    this.#sending = null;
  }

  /** Finds a session that is lost, and makes a new one that listens. */
  async #checkSession(): Promise<void> {
    try {
      await this.#query('select');
    } catch (err) {
      this.#log.warn({ err }, 'wake-ups are not heard; sweeps find deliveries meanwhile');
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
    const client = new Client({
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

  async #prepare(client: Client): Promise<void> {
    await client.connect();
    if (this.#onWakeUp) await client.query(LISTEN);
  }

  /** The next query opens another session. */
  #drop(client: Client): void {
    if (this.#session?.client !== client) return;
    this.#session = null;
    void endSession(client);
  }
}
