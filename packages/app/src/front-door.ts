import { type HttpServer, createWaitingRoom, listen } from '@affiliate/rest/monitoring';
import { BUILD } from './build-name.ts';
import { type Configuration, publicUrl } from './configuration.ts';
import { isErrno, OperatorError } from './errors.ts';
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

/**
 * Starts an HTTP server.
 *
 * @param setting name of the setting with the port
 * @throws OperatorError if the address cannot be used
 */
export async function listenAt(
  host: string,
  setting: string,
  port: number,
  app: Parameters<typeof listen>[0],
): Promise<HttpServer> {
  try {
    return await listen(app, { host, port });
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE'))
      throw new OperatorError(
        `Port ${port} on ${host} is already in use. If the service is already running, stop it first. Otherwise set ${setting} to another port.`,
      );
    if (isErrno(error, 'EACCES'))
      throw new OperatorError(
        `The operating system does not allow this process to listen on port ${port}. Set ${setting} to another port.`,
      );
    if (isErrno(error, 'EADDRNOTAVAIL', 'ENOTFOUND'))
      throw new OperatorError(
        `HOST ${host} is not an address of this machine. Set HOST to one of its addresses, e.g. 127.0.0.1.`,
      );
    throw error;
  }
}
