import { type IncomingMessage, type Server, type ServerResponse, createServer, request as send } from 'node:http';
import { type AddressInfo, type Socket, type Server as TcpServer, connect, createServer as createTcpServer } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { type Chromium, launchChromium } from '../../support/chromium/index.ts';

/** Script that resolves to the referral that the tracking script knows on a page. */
const READY = 'new Promise((resolve) => affiliate.ready(resolve))';

/**
 * A web server for merchants' pages, which answers under every host name except the service's. Each page contains the tracking script.
 * Forwards requests below `/_aff/` to the service, as merchants can do on their own domain.
 */
export class Shops implements AsyncDisposable {
  readonly #server: Server;
  readonly #serviceUrl: string;
  /** Attributes of the script element. */
  attributes = '';
  /** `head` is put before the script of every page, and `body` into its main element. */
  head = '';
  body = '';

  private constructor(server: Server, serviceUrl: string) {
    this.#server = server;
    this.#serviceUrl = serviceUrl;
  }

  static async open(serviceUrl: string): Promise<Shops> {
    const server = createServer();
    const shops = new Shops(server, serviceUrl);
    server.on('request', (request, response) => shops.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return shops;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url!.startsWith('/_aff/')) {
      const { hostname, port } = new URL(this.#serviceUrl);
      const { method, url: path, headers } = request;
      const passed = send({ hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<!doctype html><title>Shop</title>${this.head}<script async ${this.attributes}></script><main>${this.body}</main>`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Forwards connections to the service's process, so that the process can be replaced without changing the service's address. */
export class Front implements AsyncDisposable {
  readonly #server: TcpServer;
  readonly #sockets = new Set<Socket>();
  /** URL of the current process, or null while there is none. */
  target: string | null;

  private constructor(target: string) {
    this.target = target;
    this.#server = createTcpServer((client) => this.#pass(client));
  }

  static async open(target: string): Promise<Front> {
    const front = new Front(target);
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #pass(client: Socket): void {
    if (this.target === null) return void client.destroy();
    const { hostname, port } = new URL(this.target);
    const process = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, process],
      [process, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  /** Closes all connections, and refuses new ones until `target` is set. */
  cut(): void {
    this.target = null;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Launches a browser for which `affiliates.test` is the service and every other host name is a shop. */
export function launchForShops(shops: Shops, serviceUrl: string): Promise<Chromium> {
  const service = `MAP affiliates.test 127.0.0.1:${new URL(serviceUrl).port}`;
  return launchChromium([`--host-resolver-rules=${service},MAP * 127.0.0.1:${shops.port}`]);
}

/** A visitor with a separate browser profile. */
export class Shopper implements AsyncDisposable {
  readonly context: BrowserContext;
  page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  static async arrive(browser: Chromium): Promise<Shopper> {
    // An ordinary user agent, because headless browsers count as bots.
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
    const context = await browser.newContext({ userAgent });
    return new Shopper(context, await context.newPage());
  }

  /** Opens a page. Returns the referral that the page's script knows. */
  async open(url: string): Promise<string | null> {
    await this.page.goto(url);
    return this.referral();
  }

  referral(): Promise<string | null> {
    return this.page.evaluate<string | null>(READY);
  }

  /** Follows the link or submits the form that this selector finds. Returns the referral that the next page's script knows. */
  async follow(selector: string): Promise<string | null> {
    await Promise.all([this.page.waitForNavigation(), this.page.click(selector)]);
    return this.referral();
  }

  /** Returns the names of everything that the pages have stored: cookies as `domain name`, and keys of other storage. */
  async stored(): Promise<string[]> {
    const cookies = (await this.context.cookies())
      .filter(({ domain }) => domain !== 'affiliates.test')
      .map(({ domain, name }) => `${domain} ${name}`);
    const others = await this.page.evaluate<string[]>('[...Object.keys(localStorage), ...Object.keys(sessionStorage)]');
    return [...cookies, ...others].toSorted();
  }

  async cookie(name = 'affiliate_referral') {
    return (await this.context.cookies()).find((each) => each.name === name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}
