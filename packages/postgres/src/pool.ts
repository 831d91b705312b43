import { type ClientConfig, Pool as PgPool, type PoolClient } from 'pg';
import { type Admission, type Leave } from './admission.ts';
import type { ConnectionWatch, Watched } from './connection-watch.ts';
import { ConnectionLost } from './errors.ts';
import { type SentStatement, Session } from './session.ts';
import { SocketClient } from './socket-client.ts';
import { StatementNames } from './statement-names.ts';

export interface PoolSettings {
  /** Connection string, time limits, type parsers and other settings of `pg`. */
  client: ClientConfig;
  size: number;
  watch: ConnectionWatch;
  /** Null if callers take connections in the order of their arrival. */
  admission: Admission | null;
  prepareStatements: boolean;
  onStatement: ((statement: SentStatement) => void) | undefined;
}

/** Shortest time between two replacements of all connections because one of them was read-only. */
const REPLACE_MS = 100;

/** The watch of a client. Each client of the pool is watched from its first attempt to connect. */
const watchedOf = new WeakMap<object, Watched>();

/** Connections to one server. Takes and gives back sessions, fairly among parties. */
export class Pool {
  readonly #pool: PgPool;
  readonly #settings: PoolSettings;
  /** Prepared statements live as long as their connection. */
  readonly #names = new WeakMap<object, StatementNames>();
  readonly #openedAt = new WeakMap<object, number>();
  /** Time of the last replacement of all connections: earlier ones are closed before their next use. */
  #replacedAt = -Infinity;
  #isEnded = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#pool = new PgPool({
      ...settings.client,
      pipeline: true,
      max: settings.size,
      Client: watchedClient(settings.watch) as never,
    });
    // A connection that the server drops would otherwise end the process. The statement that needs it fails.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => {
      this.#openedAt.set(client, performance.now());
      client.on('error', () => undefined);
    });
  }

  /**
   * Takes a connection, when it is the caller's turn. The caller must release it.
   *
   * @throws Overloaded; the error of connecting
   */
  async take(): Promise<Session> {
    const { admission, watch } = this.#settings;
    const leave = await admission?.enter();
    try {
      if (watch.givenUp.aborted) throw new ConnectionLost();
      return this.#sessionOn(await this.#connect(), leave);
    } catch (error) {
      leave?.();
      throw error;
    }
  }

  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#pool.end();
  }

  async #connect(): Promise<PoolClient> {
    let client = await this.#pool.connect();
    for (; this.#openedAt.get(client)! < this.#replacedAt; client = await this.#pool.connect()) client.release(true);
    return client;
  }

  /** The other connections may be read-only, too, so that they are not used again. */
  #replaceAll(): void {
    const now = performance.now();
    if (now - this.#replacedAt > REPLACE_MS) this.#replacedAt = now;
  }

  #sessionOn(client: PoolClient, leave: Leave | undefined): Session {
    const { watch, onStatement } = this.#settings;
    const watched = watchedOf.get(client)!;
    watched.isIdle = false;
    // The pool creates its clients from the class that it was given.
    return new Session(client as unknown as SocketClient, {
      watch,
      watched,
      names: this.#namesOf(client),
      onStatement,
      onReadOnly: () => this.#replaceAll(),
      release: (mustClose) => {
        watched.isIdle = true;
        leave?.();
        client.release(mustClose);
      },
    });
  }

  #namesOf(client: object): StatementNames | undefined {
    if (!this.#settings.prepareStatements) return undefined;
    let names = this.#names.get(client);
    if (names === undefined) this.#names.set(client, (names = new StatementNames()));
    return names;
  }
}

/** Returns a class of clients that `watch` watches. */
function watchedClient(watch: ConnectionWatch): typeof SocketClient {
  return class extends SocketClient {
    constructor(config: ClientConfig) {
      const watched = watch.watch(() => this.socket.destroy(new ConnectionLost()));
      super({ ...config, application_name: watched.name });
      watchedOf.set(this, watched);
      this.once('end', () => watch.forget(watched));
    }
  };
}
