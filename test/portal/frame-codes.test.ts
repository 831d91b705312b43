/**
 * Codes with which an affiliate confirms, in a portal on a merchant's site, that it is them (docs/rules/portal.md#portal-links). The merchant holds the token of
 * the portal, so nothing that the merchant has may be enough.
 */
import { beforeEach, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { type Program, program, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useAccount, useService } from '../support/suite.ts';

type Portal = Outputs['portal'];

const service = useService();
const account = useAccount(service, 'file');
let email: string;
let affiliate: Program['affiliate'];
let embed: string;

beforeEach(async () => {
  email = `${unique('framed')}@partner.example`;
  ({ affiliate } = await program(account, {}, { email }));
  embed = (await account.client.affiliates.createEmbedToken.mutate({ id: affiliate.id })).token;
  service.clock.advance(61, 'minutes');
  embed = (await account.client.affiliates.createEmbedToken.mutate({ id: affiliate.id })).token;
});

const browser = () => new Browser(service.url, service.services.publicUrl);
const holding = (token: string) => ({ 'X-Portal-Token': token });
const request = (token = embed) => browser().mutate<Portal['requestCode']>('portal.requestCode', {}, holding(token));
const enter = (challenge: string, code: string) => browser().mutate<Portal['enterCode']>('portal.enterCode', { challenge, code });
const change = (token: string) =>
  browser().mutate('portal.updatePayoutDetails', { walleta_email: `${unique('new')}@pay.example` }, holding(token));
/** Requests a code. Returns it as the email has it, with the challenge that only the frame has. */
async function requested() {
  const { challenge } = (await request()).body.result!.data;
  const mail = await service.mailbox.take(email, /is your code/);
  return { challenge, code: /\d{4} \d{4}/.exec(mail.subject)![0], mail };
}
const wrong = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

it('a code from the email opens the portal for the affiliate, who then changes what needs a sign-in, for 15 minutes', async () => {
  expect(await change(embed)).toMatchObject({ status: 403, body: { error: { data: { details: { reason: 'sign_in' } } } } });
  const { challenge, code, mail } = await requested();
  expect(mail.text).toContain(code);
  const entered = await enter(challenge, code);
  expect(entered).toMatchObject({ status: 200, body: { result: { data: { account_id: account.id } } } });
  const { token } = entered.body.result!.data;
  expect((await browser().query('portal.self', undefined, holding(token))).body.result!.data).toMatchObject({
    affiliate_id: affiliate.id,
    may_change: true,
  });
  expect((await change(token)).status).toBe(200);
  // What the merchant holds still changes nothing.
  expect((await change(embed)).status).toBe(403);
  service.clock.advance(15, 'minutes');
  expect(await change(token)).toMatchObject({
    status: 403,
    body: { error: { data: { details: { reason: 'sign_in_again' } } } },
  });
  expect((await enter(challenge, code)).status).toBe(404);
});

it('neither a code nor what the frame has is enough, and a code of another frame is none', async () => {
  const first = await requested();
  const second = await requested();
  for (const token of [
    first.challenge,
    first.code,
    `${first.challenge} ${first.code.replace(' ', '')}`,
    `${first.challenge}${first.code}`,
  ])
    expect([token, (await browser().mutate('portal.enter', { token })).status]).toEqual([token, 404]);
  expect((await browser().query('portal.home', {}, holding(first.challenge))).status).toBe(401);
  expect((await enter(second.challenge, first.code)).status).toBe(404);
  expect((await enter(first.challenge, first.code)).status).toBe(200);
});

it('a code cannot be guessed', async () => {
  const { challenge, code } = await requested();
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await enter(challenge, wrong(code))).status));
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
  expect((await enter(challenge, code)).status).toBe(429);
  for (const typed of ['', '1234', 'abcdefgh', '1'.repeat(9)]) expect((await enter(challenge, typed)).status).toBe(422);
  const more = await Promise.all(Array.from({ length: 5 }, async () => (await request()).status));
  expect(more.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429]);
});

it('a code works once, for 15 minutes, for the address to which it was mailed', async () => {
  const once = await requested();
  const both = await Promise.all([enter(once.challenge, once.code), enter(once.challenge, once.code)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const late = await requested();
  service.clock.advance(15, 'minutes');
  expect((await enter(late.challenge, late.code)).status).toBe(404);
  const moved = await requested();
  expect((await account.api.patch(`/affiliates/${affiliate.id}`, { email: `${unique('moved')}@partner.example` })).status).toBe(
    200,
  );
  expect((await enter(moved.challenge, moved.code)).status).toBe(404);
});

it('is not for those who may only look, nor for people with a second factor', async () => {
  const member = await newMember(service, account, 'admin');
  const view = await member.browser.mutate<{ url: string }>(
    'affiliates.viewPortal',
    { id: affiliate.id },
    { 'X-Account-Id': account.id },
  );
  const link = new URLSearchParams(new URL(view.body.result!.data.url).hash.slice(1)).get('token')!;
  const entered = await browser().mutate<{ token: string }>('portal.enter', { token: link });
  expect((await request(entered.body.result!.data.token)).status).toBe(403);
  expect((await request('pat_wrong')).status).toBe(401);
  // Entering makes the person the user of the affiliate.
  const { challenge, code } = await requested();
  expect((await enter(challenge, code)).status).toBe(200);
  const next = await requested();
  const { kysely } = service.services.database;
  await kysely.updateTable('auth_user').set({ has_second_factor: true }).where('email', '=', email).execute();
  expect((await enter(next.challenge, next.code)).status).toBe(403);
  expect(await request()).toMatchObject({
    status: 403,
    body: { error: { data: { details: { reason: 'second_factor' } } } },
  });
});
