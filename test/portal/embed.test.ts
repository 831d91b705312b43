import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildLoader } from '@affiliate/web/embed-loader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { type Program, must, program } from '../support/program.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

type Token = Outputs['affiliates']['createEmbedToken'];

let service: TestService;
let account: TestAccount;
let started: Program;

beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
  started = await program(account, { default: true }, { email: 'ada@partner.example' });
});
afterAll(() => service.stop());

const open = (token: string) =>
  new Browser(service.url, service.services.publicUrl).query<Outputs['portal']['home']>(
    'portal.home',
    {},
    { 'X-Portal-Token': token },
  );

describe('a token that embeds the portal', () => {
  it('opens the portal of the affiliate for an hour, and is no link', async () => {
    const { token, expires_at } = await must<Token>(account, `/affiliates/${started.affiliate.id}/embed_token`, {});
    expect(Date.parse(expires_at) - service.clock.now().getTime()).toBe(3_600_000);
    for (let time = 0; time < 2; time += 1) expect((await open(token)).body.result!.data.affiliate_id).toBe(started.affiliate.id);
    await expect(account.client.portal.enter.mutate({ token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    service.clock.advance(1, 'hours');
    expect((await open(token)).status).toBe(401);
  });

  it('is made by e-mail address too, for an affiliate that there was not before', async () => {
    const create = async (email: string) => {
      const { token } = await must<Token>(account, '/affiliates/embed_token', { email, first_name: 'Grace' });
      return (await open(token)).body.result!.data;
    };
    expect((await create('ADA@partner.example')).affiliate_id).toBe(started.affiliate.id);
    const grace = await create('grace@partner.example');
    expect(grace).toMatchObject({ first_name: 'Grace', state: 'active', links: [{ url: started.campaign.url }] });
    expect((await create('grace@partner.example')).affiliate_id).toBe(grace.affiliate_id);
  });

  it('is refused for affiliates without a portal', async () => {
    await account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'pending' });
    for (const path of [`/affiliates/${started.affiliate.id}/embed_token`, '/affiliates/embed_token'])
      expect(
        (await account.api.post(path, path.startsWith('/affiliates/aff') ? {} : { email: 'ada@partner.example' })).status,
      ).toBe(422);
    await account.api.patch(`/affiliates/${started.affiliate.id}`, { state: 'active' });
  });
});

it.each(['https://a.example; script-src *', "'self'", 'https://a.example/path', 'https://*', '*', 'javascript:alert(1)'])(
  'a site that is no origin is refused: %s',
  async (origin) => {
    await expect(account.client.join.updateSettings.mutate({ embed_origins: [origin] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  },
);

it('the loader is what its source builds, in less than 2 KB compressed', async () => {
  const served = await (await fetch(`${service.url}/embed.js`)).text();
  expect(served).toBe(await buildLoader());
  expect(served).toBe(readFileSync(new URL('../../packages/rest/src/embedding/embed.js', import.meta.url), 'utf8'));
  const size = gzipSync(served).length;
  process.stdout.write(`embed.js: ${size} bytes gzipped\n`);
  expect(size).toBeLessThan(2_048);
});
