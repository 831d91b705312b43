import { createClient } from '@affiliate/client';
import { testAccountOf } from '@affiliate/core';
import { Api } from '../support/http.ts';
import { credentials, type TestAccount, type TestService } from '../support/service.ts';

/** Returns the account as a new key of this mode sees it. The key names the live account in its requests, as in every mode. */
export async function inMode(service: TestService, account: TestAccount, livemode: boolean | null): Promise<TestAccount> {
  const { api_key } = await account.client.apiKeys.create.mutate({ name: `Key of mode ${livemode}`, livemode });
  return {
    ...account,
    id: livemode === false ? testAccountOf(account.id) : account.id,
    apiKey: api_key,
    api: new Api(service.url, credentials(account.id, api_key)),
    client: createClient({ url: service.url, apiKey: api_key, accountId: account.id, retries: 0 }),
  };
}
