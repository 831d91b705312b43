import { expect } from 'vitest';
import type { ErrorBody, Fields } from '../support/http.ts';
import { type Program, program, refer, sell } from '../support/program.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';

export type Payout = Outputs['payouts']['get'];
export type PayoutExport = Outputs['payoutExports']['create'];
export type PayoutRun = Outputs['payoutRuns']['create'];
export type Reconciliation = Outputs['payoutRuns']['reconcile'];

/** Terms under which commissions fall due at once, so that every sale gets into a payout. */
export const DUE_AT_ONCE = { days_until_commissions_are_due: 0 };

/** An affiliate with one sale, whose commission is in an open payout. */
export interface Payee {
  program: Program;
  referral_id: string;
  payout: Payout;
}

/** Creates a campaign with an affiliate and a sale of `amount_cents`, a tenth of which is in the affiliate's open payout. */
export async function payee(
  account: TestAccount,
  {
    amount_cents = 10_000,
    currency = 'USD',
    terms = {},
    person = {},
  }: { amount_cents?: number; currency?: string; terms?: Fields; person?: Fields } = {},
): Promise<Payee> {
  const started = await program(
    account,
    { ...DUE_AT_ONCE, ...terms },
    { walleta_email: 'a@pay.example', walletb_email: 'b@pay.example', ...person },
  );
  const { id: referral_id } = await refer(account, started);
  await sell(account, { referral_id, amount_cents, currency });
  const payout = await openPayout(account, started.affiliate.id);
  return { program: started, referral_id, payout };
}

/** Creates an export. Fails if it is refused. */
export async function createExport(account: TestAccount, input: Record<string, unknown> = {}): Promise<PayoutExport> {
  const { status, body } = await account.api.post<PayoutExport>('/payout_exports', input);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

/** Tries to create an export that must be refused. Returns the reasons. */
export async function refusalOfExport(
  account: TestAccount,
  input: Record<string, unknown>,
): Promise<NonNullable<ErrorBody['details']>> {
  const { status, body } = await account.api.post<ErrorBody>('/payout_exports', input);
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' });
  return body.details!;
}

/** Returns the open payout of an affiliate. Fails unless there is exactly one. */
export async function openPayout(account: TestAccount, affiliateId: string): Promise<Payout> {
  const { body } = await account.api.get<{ data: Payout[] }>('/payouts', { affiliate_id: affiliateId, state: 'pending,due' });
  expect(body.data).toHaveLength(1);
  return body.data[0]!;
}

export async function payoutOf(account: TestAccount, id: string): Promise<Payout> {
  const { status, body } = await account.api.get<Payout>(`/payouts/${id}`);
  expect(status).toBe(200);
  return body;
}

/** Counts the `payout.paid` events per payout of the account. */
export async function announcedPaid({ services }: TestService, accountId: string): Promise<Map<string, number>> {
  const rows = await services.database.kysely
    .selectFrom('event')
    .select('subject_id')
    .where('account_id', '=', accountId)
    .where('type', '=', 'payout.paid')
    .execute();
  const counts = new Map<string, number>();
  for (const { subject_id } of rows) counts.set(subject_id, (counts.get(subject_id) ?? 0) + 1);
  return counts;
}

export async function planRun(account: TestAccount, input: Record<string, unknown> = {}, status = 201): Promise<PayoutRun> {
  const reply = await account.api.post<PayoutRun>('/payout_runs', input);
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status });
  return reply.body;
}

export async function executeRun(
  account: TestAccount,
  id: string,
  input: Record<string, unknown> = { async: false },
): Promise<PayoutRun> {
  const { status, body } = await account.api.put<PayoutRun>(`/payout_runs/${id}/execute`, input);
  expect({ status, body }).toMatchObject({ status: input['async'] === false ? 200 : 202 });
  return body;
}

/** Returns the item of a payout in a run. */
export function itemOf(run: PayoutRun, payoutId: string): PayoutRun['items'][number] {
  const item = run.items.find(({ payout_id }) => payout_id === payoutId);
  if (!item) throw new Error(`Run ${run.id} has no item for ${payoutId}`);
  return item;
}

export async function discrepancies(account: TestAccount): Promise<Reconciliation['discrepancies']> {
  const { status, body } = await account.api.get<Reconciliation>('/payout_runs/reconcile');
  expect(status).toBe(200);
  return body.discrepancies;
}
