import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { type Inputs, type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

export type Invitation = Outputs['invitations']['create'];

let emails = 0;

/** Sets up a service for the tests of a file, and a new account and campaign for each test. */
export class InvitationDesk {
  service!: TestService;
  account!: TestAccount;
  campaignId!: string;

  readonly newEmail = () => `invited-${(emails += 1)}@example.com`;
  readonly forMember = (input: Partial<Inputs['invitations']['create']> = {}) => ({
    kind: 'member',
    email: this.newEmail(),
    ...input,
  });
  readonly forAffiliate = () => ({ kind: 'affiliate', email: this.newEmail(), campaign_id: this.campaignId });
  readonly post = (body: unknown) => this.account.api.post<Invitation & ErrorBody>('/invitations', body);
  readonly patch = (id: string, body: unknown) => this.account.api.patch<Invitation & ErrorBody>(`/invitations/${id}`, body);

  readonly invite = async (body: Record<string, unknown> = this.forMember()): Promise<Invitation> => {
    const reply = await this.post(body);
    if (reply.status !== 201) throw new Error(`POST /invitations answered ${reply.status}: ${reply.text}`);
    return reply.body;
  };

  /** Returns the token of the emailed link. */
  readonly tokenOf = async ({ email }: { email: string }): Promise<string> => {
    const mail = await this.service.mailbox.take(email, /Join|Become/);
    return /\/invitation#token=(\S+)/.exec(mail.text)![1]!;
  };

  readonly rolesOf = async (email: string): Promise<string[]> => {
    const rows = await this.service.services.database.kysely
      .selectFrom('membership')
      .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
      .select('membership.role')
      .where('account_id', '=', this.account.id)
      .where('auth_user.email', '=', email)
      .execute();
    return rows.map(({ role }) => role);
  };
}

export function useInvitationDesk(): InvitationDesk {
  const desk = new InvitationDesk();
  beforeAll(async () => {
    desk.service = await startService();
  });
  afterAll(() => desk.service.stop());
  beforeEach(async () => {
    desk.account = await desk.service.createAccount();
    const campaign = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 };
    desk.campaignId = (await desk.account.api.post<{ id: string }>('/campaigns', campaign)).body.id;
  });
  return desk;
}

/** The expected reply to input with one invalid field. */
export const refused = (path: string) => ({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ path }] } });
