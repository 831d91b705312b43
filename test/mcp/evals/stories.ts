import { expect } from 'vitest';
import { payee } from '../../payouts/program.ts';
import type { Fields } from '../../support/http.ts';
import { must, program, refer, sell, unique } from '../../support/program.ts';
import type { TestAccount, TestService } from '../../support/service.ts';

/** A call of a tool. A write is previewed first, and then carried out with the token of its preview. */
export interface Call {
  tool: string;
  action: string;
  arguments?: Fields | undefined;
  isWrite?: true;
}

/** A record of a list, or the result of a call. */
export type Found = Record<string, unknown>;

/** The abilities of a scripted assistant. */
export interface Script {
  /** Calls a tool, and returns the result. */
  call: (call: Call) => Promise<Found>;
  /** Calls a tool, and returns the whole reply: the result, and what stands beside it. */
  reply: (call: Call) => Promise<Found>;
  /** Calls a list, and returns its rows as records. */
  list: (call: Call) => Promise<Found[]>;
}

/** A story of a merchant's month: a question, and what must follow from it. */
export interface Story {
  name: string;
  /** Creates the records. The question may name them. */
  prepare: (service: TestService, account: TestAccount) => Promise<{ question: string; facts: Facts }>;
  /** Actions that must be called, e.g. `payouts list`. A model may call others too. */
  mustCall: string[];
  /** The calls of an assistant that knows what to do. Returns its answer. */
  script: (script: Script, question: string) => Promise<string>;
  /** Throws unless the state, and the answer, are right. */
  verify: (account: TestAccount, facts: Facts, answer: string) => Promise<void>;
}

type Facts = Record<string, string>;

const DUE_AT_ONCE = { days_until_commissions_are_due: 0 };

async function read<Body = Found>(account: TestAccount, path: string): Promise<Body> {
  const { status, body } = await account.api.get<Body>(path);
  expect(status).toBe(200);
  return body;
}

/** Finds the sale that a question names by its order, and explains it. */
async function explainOrder({ list, call }: Script, question: string): Promise<Found> {
  const order = /order (\S+?)[?. ]/.exec(question)![1]!;
  const [found] = await list({ tool: 'program_overview', action: 'search', arguments: { q: order } });
  return call({ tool: 'explain', action: 'sale', arguments: { id: found!['record_id'] } });
}

/** Explains the affiliate whom a question names by the address. */
async function explainAffiliate({ list, reply }: Script, question: string): Promise<Found> {
  const email = /\S+@example\.com/.exec(question)![0];
  const [found] = await list({ tool: 'affiliates', action: 'list', arguments: { email } });
  return reply({ tool: 'explain', action: 'affiliate', arguments: { id: found!['id'] } });
}

export const STORIES: Story[] = [
  {
    name: 'approves the applicants with a site, and rejects the others',
    prepare: async (_, account) => {
      const terms = { name: unique('Applicants') };
      const applicant = async (first_name: string) =>
        (await program(account, terms, { state: 'pending', first_name })).affiliate.id;
      const [good, bad] = [await applicant('Grace'), await applicant('Spammer')];
      return {
        question: 'Approve the applicant Grace, and reject the applicant Spammer.',
        facts: { good, bad },
      };
    },
    mustCall: ['affiliates applications', 'manage_affiliates decide'],
    script: async ({ list, call }) => {
      const applicants = await list({ tool: 'affiliates', action: 'applications' });
      for (const [name, decision] of [
        ['Grace', 'approve'],
        ['Spammer', 'reject'],
      ]) {
        const affiliate_ids = applicants.filter(({ first_name }) => first_name === name).map(({ affiliate_id }) => affiliate_id);
        await call({ tool: 'manage_affiliates', action: 'decide', arguments: { affiliate_ids, decision }, isWrite: true });
      }
      return 'Grace is approved, and Spammer is rejected.';
    },
    verify: async (account, { good, bad }) => {
      expect((await read(account, `/affiliates/${good}`))['state']).toBe('active');
      expect((await read(account, `/affiliates/${bad}`))['state']).toBe('rejected');
    },
  },
  {
    name: 'reviews flagged commissions',
    prepare: async (_, account) => {
      const made = await program(account, DUE_AT_ONCE, { first_name: 'Self' });
      const { id } = await refer(account, made);
      const own = await sell(account, { referral_id: id, customer_email: made.affiliate.email });
      return {
        question: 'Review the flagged commissions: void those where the affiliate is the customer.',
        facts: { commission: own.commission!.id },
      };
    },
    mustCall: ['commissions list', 'manage_commissions review'],
    script: async ({ list, call }) => {
      const flagged = await list({ tool: 'commissions', action: 'list', arguments: { review_status: ['suspicious'] } });
      for (const { id } of flagged) {
        await call({ tool: 'explain', action: 'commission', arguments: { id } });
        await call({
          tool: 'manage_commissions',
          action: 'review',
          arguments: { id, review_action: 'deactivate' },
          isWrite: true,
        });
      }
      return `${flagged.length} commission was voided, because the affiliate bought from the own link.`;
    },
    verify: async (account, { commission }) => {
      expect((await read(account, `/commissions/${commission}`))['state']).toBe('voided');
    },
  },
  {
    name: 'pays what is due by a run',
    prepare: async (_, account) => {
      const [first, second] = [await payee(account), await payee(account, { amount_cents: 30_000 })];
      return {
        question: 'Pay everything that is due by a payout run, and execute it at once, not in the background.',
        facts: { first: first.payout.id, second: second.payout.id },
      };
    },
    mustCall: ['manage_payout_runs create', 'manage_payout_runs execute'],
    script: async ({ call }) => {
      const run = await call({ tool: 'manage_payout_runs', action: 'create', isWrite: true });
      const paid = await call({
        tool: 'manage_payout_runs',
        action: 'execute',
        arguments: { id: run['id'], async: false },
        isWrite: true,
      });
      await call({ tool: 'payout_runs', action: 'reconcile' });
      return `The run is ${String(paid['state'])}.`;
    },
    verify: async (account, { first, second }) => {
      for (const id of [first, second]) expect((await read(account, `/payouts/${id}`))['state']).toBe('paid');
      expect((await read<{ discrepancies: unknown[] }>(account, '/payout_runs/reconcile')).discrepancies).toEqual([]);
    },
  },
  {
    name: 'returns a payout whose transfer bounced',
    prepare: async (_, account) => {
      const { payout, program: made } = await payee(account);
      await must(account, `/payouts/${payout.id}/pay`, { payment_reference: 'wire 12' }, 200);
      return {
        question: `The transfer to ${made.affiliate.email} bounced because the account was closed. Take the payment back.`,
        facts: { payout: payout.id },
      };
    },
    mustCall: ['manage_payouts return'],
    script: async ({ list, call }, question) => {
      const [affiliate] = await list({
        tool: 'affiliates',
        action: 'list',
        arguments: { email: /\S+@example\.com/.exec(question)![0] },
      });
      const [paid] = await list({
        tool: 'payouts',
        action: 'list',
        arguments: { affiliate_id: affiliate!['id'], state: ['paid'] },
      });
      const returned = await call({
        tool: 'manage_payouts',
        action: 'return',
        arguments: { id: paid!['id'], reason: 'Account closed' },
        isWrite: true,
      });
      return `The payout is ${String(returned['state'])}.`;
    },
    verify: async (account, { payout }) => {
      expect((await read(account, `/payouts/${payout}`))['state']).toBe('returned');
    },
  },
  {
    name: 'says why a sale earned nothing: nobody referred the customer',
    prepare: async (_, account) => {
      const { sale } = await sell(account, { customer_email: `${unique('alone')}@example.com` });
      return { question: `Why did nobody earn from the order ${sale.external_id}?`, facts: {} };
    },
    mustCall: ['explain sale'],
    script: async (script, question) =>
      `The reason is ${String((await explainOrder(script, question))['no_commission_reason'])}.`,
    verify: async (_account, _facts, answer) => {
      expect(answer).toMatch(/no[_ ]referral|not referred|nobody referred/i);
    },
  },
  {
    name: 'says why a sale earned nothing: the affiliate was disabled',
    prepare: async (_, account) => {
      const made = await program(account);
      const { id } = await refer(account, made);
      await account.api.patch(`/affiliates/${made.affiliate.id}`, { state: 'disabled' });
      const { sale } = await sell(account, { referral_id: id, customer_email: `${unique('buyer')}@example.com` });
      return { question: `Why did the affiliate earn nothing from the order ${sale.external_id}?`, facts: {} };
    },
    mustCall: ['explain sale'],
    script: async (script, question) =>
      `The reason is ${String((await explainOrder(script, question))['no_commission_reason'])}.`,
    verify: async (_account, _facts, answer) => {
      expect(answer).toMatch(/inactive|disabled|not active/i);
    },
  },
  {
    name: 'says why an affiliate was not paid: the amount is below the minimum',
    prepare: async (_, account) => {
      const terms = { minimum_payout_cents: 5_000, minimum_payout_currency: 'USD' };
      const { program: made } = await payee(account, { terms });
      return { question: `Why was ${made.affiliate.email} not paid?`, facts: {} };
    },
    mustCall: ['explain affiliate'],
    script: async (script, question) => JSON.stringify(await explainAffiliate(script, question)),
    verify: async (_account, _facts, answer) => {
      expect(answer).toMatch(/below[_ ](the )?minimum/i);
    },
  },
  {
    name: 'says what will be paid, and why not the rest',
    prepare: async (service, account) => {
      const made = await program(account, { days_until_commissions_are_due: 3 }, { first_name: 'Friday' });
      const { id } = await refer(account, made);
      await sell(account, { referral_id: id, amount_cents: 77_770, customer_email: `${unique('buyer')}@example.com` });
      const at = new Date(service.clock.now().getTime() + 4 * 86_400_000).toISOString();
      return { question: `Which payout will be the largest at ${at}, and how much will it be?`, facts: {} };
    },
    mustCall: ['explain payday'],
    script: async ({ call }, question) => {
      const at = /\d{4}-\S+Z/.exec(question)![0];
      const { largest } = await call({ tool: 'explain', action: 'payday', arguments: { at } });
      const [first] = largest as { amount_cents: number; currency: string; email: string }[];
      return `${first!.email} gets ${first!.currency} ${first!.amount_cents / 100}.`;
    },
    verify: async (_account, _facts, answer) => {
      expect(answer).toMatch(/77\.77|7,?777/);
    },
  },
  {
    name: 'says why the shop did not hear of an event',
    prepare: async (service, account) => {
      const input = {
        name: 'Shop',
        url: 'http://127.0.0.1:8099/hooks',
        event_types: ['affiliate.created' as const],
        active: false,
      };
      const { id } = await account.client.webhookEndpoints.create.mutate(input);
      const delivery = await account.client.webhookEndpoints.sendTest.mutate({ id });
      const db = service.services.database.kysely;
      const at = service.clock.instant();
      await db
        .updateTable('webhook_delivery')
        .set({ status: 'failed', attempts: 1, next_attempt_at: null, completed_at: at, retry_requested_at: null })
        .where('id', '=', delivery.id)
        .execute();
      await db
        .insertInto('webhook_attempt')
        .values({
          id: `att_${delivery.id.slice('dlv_'.length)}`,
          delivery_id: delivery.id,
          attempt: 1,
          trigger: 'schedule',
          started_at: at,
          duration_ms: 12,
          request_headers: {},
          response_status: null,
          response_headers: null,
          response_excerpt: null,
          error_code: 'dns_error',
        })
        .execute();
      return { question: 'Why did my shop not get the last webhook?', facts: {} };
    },
    mustCall: ['webhooks deliveries'],
    script: async ({ list, call }) => {
      const [last] = await list({ tool: 'webhooks', action: 'deliveries' });
      const delivery = await call({ tool: 'explain', action: 'delivery', arguments: { id: last!['id'] } });
      return `The delivery is ${String(delivery['status'])}: ${String(last!['error_code'])}.`;
    },
    verify: async (_account, _facts, answer) => {
      expect(answer).toMatch(/dns/i);
    },
  },
];
