/** Cost of reward rules to a sale, in statements to the database. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refer, sell } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { line, rule, shop } from './program.ts';

let service: TestService;
let account: TestAccount;
let sent = 0;

beforeAll(async () => {
  service = await startService({
    onStatement: ({ text }) => {
      // Keys are looked up and the log of requests is written once a second, whatever the requests do.
      if (!text.includes('from "api_key"') && !text.includes('insert into api_request ')) sent += 1;
    },
  });
  account = await service.createAccount();
});
afterAll(() => service.stop());

it('a sale with lines and rules about products takes as many statements as a plain one', async () => {
  const [plain, ruled] = [await shop(account), await shop(account)];
  for (const product of ['pro', 'addon', 'mug'])
    await rule(account, ruled.campaign, { when: { products: [product] }, pay: { percent: 20 } });
  const lines = ['pro', 'addon'].map((product) => line(product, 5_000));
  const count = async (of: typeof plain, more: object) => {
    const { id: referral_id } = await refer(account, of);
    await sell(account, { referral_id, ...more });
    const before = sent;
    await sell(account, { referral_id, ...more });
    return sent - before;
  };
  expect((await count(ruled, { lines })) - (await count(plain, {}))).toBe(0);
});
