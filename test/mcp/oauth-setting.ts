import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { ownerOf } from '../support/people.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';
import { RemoteAssistant } from './remote-assistant.ts';

type AssistantOptions = ConstructorParameters<typeof RemoteAssistant>[1];

/** One service for all tests of a file. Each test gets a new account with a signed-in owner. */
export class OauthSetting {
  service!: TestService;
  account!: TestAccount;
  owner!: Browser;

  static forThisFile(): OauthSetting {
    const setting = new OauthSetting();
    beforeAll(async () => {
      setting.service = await startService();
    });
    afterAll(() => setting.service.stop());
    beforeEach(async () => {
      setting.account = await setting.service.createAccount();
      setting.owner = (await ownerOf(setting.service, setting.account)).browser;
      // Resets the rate limits, because all tests register assistants from the same address.
      await setting.service.services.database.kysely.deleteFrom('auth_attempt').execute();
    });
    return setting;
  }

  async connectors(): Promise<Outputs['connectors']['list']['data']> {
    const { data } = await this.account.client.connectors.list.query({});
    return data;
  }

  /** Returns the HTTP status of an MCP request with this token. */
  async statusOf(token: unknown): Promise<number> {
    const { status } = await send(`${this.service.url}/mcp`, 'POST', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      headers: { Accept: 'application/json, text/event-stream', Authorization: `Bearer ${String(token)}` },
    });
    return status;
  }

  /** Returns an assistant that has started the authorization and waits for consent. */
  async asking(options?: AssistantOptions): Promise<RemoteAssistant> {
    const assistant = new RemoteAssistant(this.service, options);
    if (await assistant.connect()) throw new Error('The assistant was connected without the consent of a user.');
    return assistant;
  }

  /** Returns an assistant that the owner has connected to the account. */
  async connected(choice = {}): Promise<RemoteAssistant> {
    const assistant = await this.asking();
    await using _ = await assistant.finish(await assistant.consented(this.owner, { account_id: this.account.id, ...choice }));
    return assistant;
  }
}

/** Runs `work` with the system time advanced by `seconds`. The authorization server uses the system time, not the test's clock. */
export async function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
