import { afterEach, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { OauthSetting } from './oauth-setting.ts';
import { CALLBACK, follow } from './remote-assistant.ts';

const DOCUMENT_URL = 'https://assistant.example.com/oauth/client.json';
const DOCUMENT = { client_id: DOCUMENT_URL, client_name: 'Helpful assistant', redirect_uris: [CALLBACK] };

const setting = OauthSetting.forThisFile();
/** Addresses that the service has read. */
const read: string[] = [];

function publish(document: unknown): void {
  setting.service.services.readDocument = async (url) => {
    read.push(url);
    return document === null ? null : typeof document === 'string' ? document : JSON.stringify(document);
  };
}

afterEach(async () => {
  read.length = 0;
  await setting.service.services.database.kysely.deleteFrom('connector').execute();
  await setting.service.services.database.kysely.deleteFrom('oauth_client').execute();
});

const clients = () =>
  setting.service.services.database.kysely.selectFrom('oauth_client').select(['client_id', 'name', 'redirect_uris']).execute();

describe('an assistant with a metadata document', () => {
  it('connects without a registration, and its host is shown on the consent page', async () => {
    publish(DOCUMENT);
    const assistant = await setting.asking({ documentUrl: DOCUMENT_URL });
    expect(assistant.sentTo!.searchParams.get('client_id')).toBe(DOCUMENT_URL);
    const page = await follow(setting.service, assistant.sentTo!);
    const described = await setting.owner.send('POST', '/auth/oauth2/consent-request', {
      body: { oauth_query: page.search.slice(1) },
    });
    expect(described.body).toMatchObject({ client_name: 'Helpful assistant', verified_host: 'assistant.example.com' });

    await using client = await assistant.finish(await assistant.consented(setting.owner, { account_id: setting.account.id }));
    expect((await client.client.listTools()).tools).not.toEqual([]);
    const first = assistant.kept.tokens!;
    expect((await assistant.refresh(first.refresh_token!)).status).toBe(200);
    expect(read).toEqual([DOCUMENT_URL]);
    expect(await clients()).toEqual([
      { client_id: DOCUMENT_URL, name: 'Helpful assistant', redirect_uris: JSON.stringify([CALLBACK]) },
    ]);
  });

  it('is stored once by concurrent requests', async () => {
    publish(DOCUMENT);
    const query = new URLSearchParams({ client_id: DOCUMENT_URL, redirect_uri: CALLBACK, response_type: 'code' }).toString();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => send(`${setting.service.url}/auth/oauth2/authorize`, 'GET', { query })),
    );
    expect(replies.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302]);
    expect((await clients()).filter(({ client_id }) => client_id === DOCUMENT_URL)).toHaveLength(1);
  });

  it('gets its new redirect addresses after ten minutes, and keeps the old ones while its document cannot be read', async () => {
    const former = JSON.stringify([CALLBACK]);
    const redirect_uris = ['https://assistant.example.com/callback'];
    /** Returns the stored redirect addresses after the assistant has sent a person here. */
    const stored = async () => {
      await follow(setting.service, (await setting.asking({ documentUrl: DOCUMENT_URL })).sentTo!);
      return (await clients()).map((client) => client.redirect_uris);
    };
    publish(DOCUMENT);
    expect(await stored()).toEqual([former]);
    publish({ ...DOCUMENT, redirect_uris });
    expect(await stored()).toEqual([former]);
    setting.service.clock.advance(11, 'minutes');
    publish(null);
    expect(await stored()).toEqual([former]);
    publish({ ...DOCUMENT, redirect_uris });
    expect(await stored()).toEqual([JSON.stringify(redirect_uris)]);
    const assistant = await setting.asking({ documentUrl: DOCUMENT_URL });
    // The address that was withdrawn gets no code.
    await expect(assistant.consented(setting.owner, { account_id: setting.account.id })).rejects.toThrow(
      'The consent was answered with status 4',
    );
  });

  it.each([
    ['of another address', { ...DOCUMENT, client_id: 'https://assistant.example.com/other.json' }],
    ['with a secret', { ...DOCUMENT, client_secret: 'secret' }],
    ['of a client that authenticates', { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_basic' }],
    ['without redirect addresses', { ...DOCUMENT, redirect_uris: [] }],
    ['with a dangerous redirect address', { ...DOCUMENT, redirect_uris: ['javascript:alert(1)'] }],
    ['that is not JSON', 'client'],
    ['that is a list', []],
    ['that is null', 'null'],
    ['that cannot be read', null],
  ])('is refused with a document %s', async (_what, document) => {
    publish(document);
    const assistant = await setting.asking({ documentUrl: DOCUMENT_URL });
    await expect(assistant.consented(setting.owner, { account_id: setting.account.id })).rejects.toThrow(
      'The consent was answered with status 4',
    );
    expect(read).toEqual([DOCUMENT_URL]);
    expect(await clients()).toEqual([]);
  });

  it.each([
    'http://assistant.example.com/client.json',
    'https://assistant.example.com/',
    'https://assistant.example.com',
    'https://user@assistant.example.com/client.json',
    'https://assistant.example.com/client.json#part',
    'https://assistant.example.com/a/../client.json',
    `https://assistant.example.com/${'a'.repeat(500)}`,
  ])('is not read at %s', async (client_id) => {
    publish({ ...DOCUMENT, client_id });
    const query = new URLSearchParams({ client_id, redirect_uri: CALLBACK, response_type: 'code' }).toString();
    const reply = await send(`${setting.service.url}/auth/oauth2/authorize`, 'GET', { query });
    expect(reply.headers.get('location')).toContain('error=');
    expect(read).toEqual([]);
  });

  it('cannot make the service read documents without limit', async () => {
    publish(null);
    const statuses: number[] = [];
    for (let turn = 0; turn < 31; turn += 1) {
      const query = new URLSearchParams({ client_id: `${DOCUMENT_URL}?${turn}`, redirect_uri: CALLBACK, response_type: 'code' });
      statuses.push((await send(`${setting.service.url}/auth/oauth2/authorize`, 'GET', { query: query.toString() })).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(read).toHaveLength(30);
  });
});
