import { type Call, type Fields, type Reply, send } from './http.ts';

/** The parts of a browser that matter for signing in: it stores cookies, and sends the origin of its page. */
export class Browser {
  readonly baseUrl: string;
  readonly #cookies = new Map<string, string>();
  origin: string;

  /** @param origin origin of the page that sends the requests: the service's public origin, unless a test acts as another site */
  constructor(baseUrl: string, origin: string) {
    this.baseUrl = baseUrl;
    this.origin = origin;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send<Body = Fields>(method: string, path: string, call: Call = {}): Promise<Reply<Body>> {
    const headers = { ...(this.#cookies.size > 0 ? { Cookie: this.cookie } : {}), Origin: this.origin, ...call.headers };
    const reply = await send<Body>(`${this.baseUrl}${path}`, method, { ...call, headers });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
    return reply;
  }

  signIn(email: string, password: string): Promise<Reply> {
    return this.send('POST', '/auth/sign-in/email', { body: { email, password } });
  }

  /** Calls a mutation over tRPC. */
  mutate<Output = Fields>(procedure: string, input?: unknown, headers: Record<string, string> = {}) {
    return this.send<TrpcReply<Output>>('POST', `/trpc/${procedure}`, { body: input ?? {}, headers });
  }

  /** Calls a query over tRPC. */
  query<Output = Fields>(procedure: string, input?: unknown, headers: Record<string, string> = {}) {
    const query: Record<string, string> = input === undefined ? {} : { input: JSON.stringify(input) };
    return this.send<TrpcReply<Output>>('GET', `/trpc/${procedure}`, { query, headers });
  }
}

interface TrpcReply<Output> {
  result?: { data: Output };
  error?: { message: string; data: { code: string; details?: unknown } };
}
