import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { program, refer, sell, unique } from '../support/program.ts';
import { type TestService, startService } from '../support/service.ts';

let service: TestService;
let statements = 0;
// oxlint-disable-next-line typescript/unbound-method -- called with the client below
const query = Client.prototype.query;

beforeAll(async () => {
  service = await startService();
  Client.prototype.query = function (this: Client, ...values: unknown[]) {
    statements += 1;
    return (query as (...values: unknown[]) => unknown).apply(this, values);
  } as typeof query;
});
afterAll(async () => {
  Client.prototype.query = query;
  await service.stop();
});

async function counted(work: () => Promise<unknown>): Promise<number> {
  statements = 0;
  await work();
  return statements;
}

it('takes a bounded number of statements to record a sale, whatever the customer bought before', async () => {
  const account = await service.createAccount();
  const ada = await program(account);
  const referral = await refer(account, ada);
  const customer_email = `${unique('grace')}@example.com`;
  // The key is looked up once and remembered.
  await sell(account, { customer_email: `${unique('warm')}@example.com` });
  const first = await counted(() => sell(account, { referral_id: referral.id, customer_email }));
  const second = await counted(() => sell(account, { customer_email }));
  for (let sale = 3; sale < 10; sale += 1) await sell(account, { customer_email });
  const tenth = await counted(() => sell(account, { customer_email }));
  // The second may also note that the key was used.
  expect(tenth).toBeLessThanOrEqual(second);
  expect(second).toBeLessThanOrEqual(24);
  expect(first).toBeLessThanOrEqual(33);
});
