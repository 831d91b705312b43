import { Browser } from '../support/browser.ts';
import type { Reply } from '../support/http.ts';
import type { TestAccount, TestService } from '../support/service.ts';

/** A person who signs in to an account's portal with an emailed link. */
export class PortalVisitor {
  readonly browser: Browser;
  readonly #headers: Record<string, string>;

  private constructor(browser: Browser, accountId: string) {
    this.browser = browser;
    this.#headers = { 'X-Account-Id': accountId };
  }

  static async enter(service: TestService, account: TestAccount, email: string): Promise<PortalVisitor> {
    const browser = new Browser(service.url, service.services.publicUrl);
    const { status } = await browser.send('POST', '/auth/request-sign-in-link', { body: { email } });
    if (status !== 200) throw new Error(`The request for a sign-in link was answered with status ${status}`);
    const reply = await browser.send('POST', '/auth/sign-in/link', {
      body: { token: await mailedToken(service, email, /sign-in link/) },
    });
    if (reply.status !== 200) throw new Error(`Signing in with the link failed with status ${reply.status}: ${reply.text}`);
    return new PortalVisitor(browser, account.id);
  }

  async query<Output>(procedure: string, input: object = {}): Promise<Output> {
    return dataOf(await this.browser.query(procedure, input, this.#headers)) as Output;
  }

  async mutate<Output>(procedure: string, input: object = {}): Promise<Output> {
    return dataOf(await this.browser.mutate(procedure, input, this.#headers)) as Output;
  }

  /** Makes a call that is refused. Returns its status and error code. */
  async refusal(
    type: 'query' | 'mutate',
    procedure: string,
    input: object = {},
  ): Promise<{ status: number; code: string | undefined }> {
    const reply = await this.browser[type](procedure, input, this.#headers);
    return { status: reply.status, code: reply.body.error?.data.code };
  }
}

function dataOf({ status, text, body }: Reply<object>): unknown {
  if (status !== 200) throw new Error(`The call failed with status ${status}: ${text}`);
  return (body as { result: { data: unknown } }).result.data;
}

/** Returns the token of the link in an email. */
export async function mailedToken(service: TestService, email: string, subject: RegExp): Promise<string> {
  const { text } = await service.mailbox.take(email, subject);
  return new URLSearchParams(new URL(/https?:\S+/.exec(text)![0]).hash.slice(1)).get('token')!;
}
