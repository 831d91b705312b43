import { type HttpServer, createWaitingRoom } from '@affiliate/rest/monitoring';
import { BUILD } from './build-name.ts';
import { type Configuration, publicUrl } from './configuration.ts';
import { listenAt } from './listen-at.ts';
import type { openLog } from './log.ts';

/**
 * The port of a process. Opens when the process is ready. If the process must wait before, e.g. for a migration, the port opens at once and answers
 * probes. It does not open earlier than that, because a proxy without health checks sends requests to every process whose port is open.
 */
export class FrontDoor implements AsyncDisposable {
  readonly #setting: 'PORT' | 'WORKER_PORT';
  readonly #configuration: Configuration;
  readonly #log: ReturnType<typeof openLog>;
  #reason = '';
  #server: Promise<HttpServer> | null = null;

  constructor(setting: 'PORT' | 'WORKER_PORT', configuration: Configuration, log: ReturnType<typeof openLog>) {
    this.#setting = setting;
    this.#configuration = configuration;
    this.#log = log;
  }

  /** Answers probes with the reason, a sentence, until `open` is called. */
  wait(reason: string): void {
    this.#reason = reason;
    if (this.#server !== null) return;
    const room = createWaitingRoom({
      ...BUILD,
      log: this.#log,
      publicUrl: publicUrl(this.#configuration),
      trustedProxies: this.#configuration.TRUSTED_PROXIES,
      reason: () => this.#reason,
    });
    this.#server = this.#listen(room);
    this.#server.then(
      ({ url }) => this.#log.info({ url, reason }, 'answering probes while waiting'),
      // `open` fails with the same error.
      () => undefined,
    );
  }

  /**
   * Serves the application.
   *
   * @throws OperatorError if the address cannot be used
   */
  async open(app: Parameters<typeof listenAt>[3]): Promise<HttpServer> {
    if (this.#server === null) return (this.#server = this.#listen(app));
    const server = await this.#server;
    server.serve(app);
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = await this.#server?.catch(() => null);
    await server?.close(0);
  }

  #listen(app: Parameters<typeof listenAt>[3]): Promise<HttpServer> {
    return listenAt(this.#configuration.HOST, this.#setting, this.#configuration[this.#setting] ?? 0, app);
  }
}
