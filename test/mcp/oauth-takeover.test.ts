import { expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { type Person, newMember } from '../support/people.ts';
import { credentials } from '../support/service.ts';
import { OauthSetting } from './oauth-setting.ts';
import { type RemoteAssistant, decide, follow } from './remote-assistant.ts';

const PUBLIC_URL = 'https://affiliates.example.com';

const setting = OauthSetting.forThisFile();

/** Marks a member's email address as unverified, and requests a sign-in link for the address. Returns the link's token. */
async function unproved({ id, email, browser }: Person): Promise<string> {
  const { services, mailbox } = setting.service;
  await services.database.kysely.updateTable('auth_user').set({ email_verified: false }).where('id', '=', id).execute();
  await browser.send('POST', '/auth/request-sign-in-link', { body: { email } });
  const { text } = await mailbox.take(email, /sign-in link/);
  return /#token=(\S+)/.exec(text)![1]!;
}
const takeOver = (token: string) =>
  new Browser(setting.service.url, PUBLIC_URL).send('POST', '/auth/sign-in/link', { body: { token } });

it('consent ends in every account when the holder of an email address takes over a user who never verified that address', async () => {
  const { service, account } = setting;
  const stranger = await newMember(service, account, 'admin');
  const other = await service.createAccount();
  const at = service.clock.instant();
  await service.services.database.kysely
    .insertInto('membership')
    .values({ account_id: other.id, user_id: stranger.id, role: 'admin', created_at: at, updated_at: at })
    .execute();
  const connected: RemoteAssistant[] = [];
  for (const { id } of [account, other]) {
    const assistant = await setting.asking();
    await (await assistant.connectAs(stranger.browser, { account_id: id })).client.close();
    connected.push(assistant);
  }
  const pending = await setting.asking();
  const code = await pending.consented(stranger.browser, { account_id: account.id });
  const key = await stranger.browser.mutate<{ api_key: string }>(
    'apiKeys.create',
    { name: 'of the account' },
    { 'X-Account-Id': account.id },
  );
  const bystander = await setting.connected();
  const token = await unproved(stranger);
  expect((await takeOver(token)).status).toBe(200);

  for (const { kept } of connected) expect(await setting.statusOf(kept.tokens!.access_token)).toBe(401);
  for (const assistant of connected) expect((await assistant.refresh(assistant.kept.tokens!.refresh_token!)).status).toBe(400);
  expect((await pending.exchange(code)).status).toBe(400);
  const theirs = [...(await setting.connectors()), ...(await other.client.connectors.list.query({})).data].filter(
    ({ authorized_by_user_id }) => authorized_by_user_id === stranger.id,
  );
  expect(theirs.map(({ revoked_at }) => revoked_at)).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  expect(await setting.statusOf(bystander.kept.tokens!.access_token)).toBe(200);
  // A key belongs to the account, not to the person who created it.
  const headers = credentials(account.id, key.body.result!.data.api_key);
  expect((await send(`${service.url}/api/v1/campaigns`, 'GET', { headers })).status).toBe(200);
});

it('consent fails if the holder of the email address takes over the user at the same time', async () => {
  const page = await follow(setting.service, (await setting.asking()).sentTo!);
  const stranger = await newMember(setting.service, setting.account, 'admin');
  const token = await unproved(stranger);
  await using locks = await Locks.open(setting.service.databaseUrl, setting.account.id);
  const account = await locks.account('no key update');
  await account.held;
  const decision = decide(stranger.browser, page, { accept: true, account_id: setting.account.id });
  await locks.areWaiting(1);
  expect((await takeOver(token)).status).toBe(200);
  await account.release();
  expect((await decision).status).toBe(401);
  expect(await setting.connectors()).toEqual([]);
});
