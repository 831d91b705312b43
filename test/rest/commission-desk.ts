import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

export type Commission = Outputs['commissions']['get'];
export type Payout = Outputs['payouts']['get'];

/** Sets up a service for the tests of a file, and a new account for each test. */
export class CommissionDesk {
  service!: TestService;
  account!: TestAccount;

  async commissions(query = ''): Promise<Commission[]> {
    return (await this.account.api.get<{ data: Commission[] }>('/commissions', query)).body.data;
  }

  async payouts(): Promise<Payout[]> {
    return (await this.account.api.get<{ data: Payout[] }>('/payouts')).body.data;
  }

  /** Returns the types of the account's events, oldest first. */
  async eventTypes(): Promise<string[]> {
    const rows = await this.service.services.database.kysely
      .selectFrom('event')
      .select('type')
      .where('account_id', '=', this.account.id)
      .orderBy('id')
      .execute();
    return rows.map(({ type }) => type);
  }

  /** Creates a sale of 100.00 through a new referral. */
  async earned(friends: Program, sale: object = {}): Promise<Commission> {
    this.service.clock.advance(1, 'seconds');
    const referral = await refer(this.account, friends);
    const { commission } = await sell(this.account, { referral_id: referral.id, ...sale });
    return (await this.account.api.get<Commission>(`/commissions/${commission!.id}`)).body;
  }
}

export function useCommissionDesk(): CommissionDesk {
  const desk = new CommissionDesk();
  beforeAll(async () => {
    desk.service = await startService();
  });
  afterAll(() => desk.service.stop());
  beforeEach(async () => {
    desk.account = await desk.service.createAccount();
  });
  return desk;
}
