import { mailRequestedLinks, sendDueMail } from '@affiliate/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { must, program } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

let service: TestService;
let busy: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  service = await startService({ workersElsewhere: true, trustedProxies: 1 });
  [busy, other] = await Promise.all([service.createAccount(), service.createAccount()]);
});
afterAll(() => service.stop());

async function requestLink(email: string, network: string): Promise<void> {
  const headers = { origin: service.services.publicUrl, 'x-forwarded-for': network };
  const { status } = await send(`${service.url}/auth/request-sign-in-link`, 'POST', { body: { email }, headers });
  expect(status).toBe(200);
}

/** Creates affiliates and returns their addresses. */
async function affiliates(account: TestAccount, count: number): Promise<string[]> {
  const { campaign } = await program(account);
  const emails = Array.from({ length: count }, (_, i) => `partner-${i}@${account.id.replaceAll('_', '-')}.example.com`);
  for (const email of emails) await must(account, '/affiliates', { email, campaign_id: campaign.id });
  return emails;
}

const waiting = async () =>
  (await service.services.database.kysely.selectFrom('outgoing_mail').selectAll().where('is_urgent', '=', true).execute()).length;

it('requested links are sent in turn by network and account, those of members first, and to each person once', async () => {
  const [crowd, [single = '']] = [await affiliates(busy, 12), await affiliates(other, 1)];
  // Two networks ask for the affiliates of one account, and again for the same ones.
  for (const [i, email] of crowd.entries()) await requestLink(email, `192.0.2.${1 + (i % 2)}`);
  await requestLink(crowd[0]!, '192.0.2.3');
  await mailRequestedLinks(service.services);
  expect(await waiting()).toBe(12);
  await requestLink(single, '198.51.100.7');
  await requestLink(other.ownerEmail, '192.0.2.1');
  await mailRequestedLinks(service.services);
  expect(await waiting()).toBe(14);
  service.mailbox.mails.length = 0;
  await sendDueMail(service.services);
  const order = service.mailbox.mails.map(({ to }) => to).filter((to) => [...crowd, single, other.ownerEmail].includes(to));
  expect(order).toHaveLength(14);
  expect(order.indexOf(other.ownerEmail)).toBeLessThan(2);
  expect(order.indexOf(single)).toBeLessThan(4);
});

it('requests are handled in turn by network', async () => {
  const db = service.services.database.kysely;
  for (let i = 0; i < 5; i += 1) await requestLink(`nobody-${i}@example.com`, '203.0.113.1');
  await requestLink('late@example.com', '203.0.113.2');
  const rows = await db.selectFrom('password_reset_request').select('email').orderBy('turn').orderBy('id').execute();
  expect(rows.slice(0, 2).map(({ email }) => email)).toEqual(['nobody-0@example.com', 'late@example.com']);
  await mailRequestedLinks(service.services);
  expect(await db.selectFrom('password_reset_request').select('id').execute()).toEqual([]);
});
