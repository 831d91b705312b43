/** Anyone may report leads, so their number is limited (docs/rules/intake.md#leads). */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Reply, send } from '../support/http.ts';
import { program, refer, unique } from '../support/program.ts';
import { type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService({ trustedProxies: 1 });
const account = useAccount(service);
let referralId: string;
beforeEach(async () => {
  referralId = await referralOf(account);
});

async function referralOf(of: TestAccount): Promise<string> {
  const { id } = await refer(of, await program(of));
  return id;
}

function lead(address: string, email = `${unique('lead')}@example.com`, referral_id = referralId): Promise<Reply> {
  return send(`${service.url}/track/leads`, 'POST', { body: { referral_id, email }, headers: { 'X-Forwarded-For': address } });
}

/** Returns the statuses of `count` calls, each once. */
async function statusesOf(count: number, call: (i: number) => Promise<Reply>): Promise<number[]> {
  const replies: Reply[] = [];
  for (let i = 0; i < count; i += 1) replies.push(await call(i));
  return [...new Set(replies.map(({ status }) => status))];
}

describe('the number of leads', () => {
  it('is limited for a network', async () => {
    expect(await statusesOf(100, (i) => lead(`2001:db8:0:${i % 2}::1`))).toEqual([200]);
    const refused = await lead('2001:db8::2');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', details: { retry_after: 600 } } });
    expect((await lead('192.0.2.1')).status).toBe(200);
    const other = await referralOf(await service.createAccount());
    expect((await lead('2001:db8::1', undefined, other)).status).toBe(200);
    service.clock.advance(600, 'seconds');
    expect((await lead('2001:db8::1')).status).toBe(200);
  });

  it('is limited for an email address', async () => {
    const email = `${unique('often')}@example.com`;
    expect(await statusesOf(10, (i) => lead(`192.0.2.${i}`, email))).toEqual([200]);
    expect((await lead('192.0.2.20', email.toUpperCase())).status).toBe(429);
    service.clock.advance(1, 'days');
    expect((await lead('192.0.2.20', email)).status).toBe(200);
  });
});
