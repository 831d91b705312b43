import { describe, expect, it } from 'vitest';
import { RemoteService } from '../../packages/app/src/remote/remote-service.ts';
import { TRIGGERS, triggerEvent } from '../../packages/app/src/remote/trigger-events.ts';
import { useAccount, useService } from '../support/suite.ts';
import { inMode } from './accounts.ts';

const service = useService();
const account = useAccount(service);

describe('affiliate trigger', () => {
  it.each(TRIGGERS)('causes %s', async (type) => {
    const { apiKey } = await inMode(service, account, false);
    const remote = new RemoteService({ url: service.url, account_id: account.id, api_key: apiKey });
    const events = await triggerEvent(remote, type);
    expect(events.map((event) => event.type)).toContain(type);
    expect((await account.client.events.list.query({})).data).toEqual([]);
  });
});
