import { METHODS } from '../../packages/core/src/payouts/methods/methods.ts';
import { type PayoutExport, type PayoutRun, payee } from '../payouts/program.ts';
import { ToyRail } from '../payouts/toy_method/toy-method.ts';
import type { Fields } from '../support/http.ts';
import { newMember } from '../support/people.ts';
import { must, program, refer, sell, unique } from '../support/program.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';

/** A write of a tool, with the records that it needs. */
export interface Write {
  tool: string;
  action: string;
  /** Creates the records and returns the arguments. */
  prepare: (service: TestService, account: TestAccount) => Promise<Fields>;
  /** Events that the write emits. */
  events: string[];
}

async function earned(account: TestAccount) {
  const made = await program(account, { days_until_commissions_are_due: 0 });
  const { id } = await refer(account, made);
  const { sale, commission } = await sell(account, { referral_id: id });
  return { ...made, sale, commission: commission! };
}

async function exported(account: TestAccount): Promise<PayoutExport> {
  return must(account, '/payout_exports', { payout_ids: [(await payee(account)).payout.id] });
}

async function planned(account: TestAccount): Promise<PayoutRun> {
  return must(account, '/payout_runs', { affiliate_ids: [(await payee(account)).program.affiliate.id] });
}

/** Creates a payout that a method of these tests can pay. */
async function payableByToy({ services }: TestService, account: TestAccount): Promise<void> {
  services.payoutMethods = [...METHODS, new ToyRail().method];
  const { program: made } = await payee(account, { person: { walleta_email: null, walletb_email: null } });
  await must(account, '/payout_methods', { affiliate_id: made.affiliate.id, kind: 'toy', address: { number: '100001' } });
}

async function preparedAttempt(service: TestService, account: TestAccount): Promise<{ id: string }> {
  await payableByToy(service, account);
  const { batch_id } = await must<{ batch_id: string }>(account, '/payout_attempts/prepare', { method: 'toy' }, 200);
  const { body } = await account.api.get<{ data: { id: string }[] }>('/payout_attempts', { batch_id });
  return body.data[0]!;
}

async function mutate<Result>({ api }: TestAccount, procedure: string, input: Fields): Promise<Result> {
  const { status, body } = await api.post<{ result: { data: Result } }>(`/trpc/${procedure}`, input);
  if (status !== 200) throw new Error(`${procedure}: ${JSON.stringify(body)}`);
  return body.result.data;
}

/** Creates a webhook endpoint that is inactive, so that later writes of the account create no deliveries. */
async function endpoint(account: TestAccount, active = false): Promise<{ id: string }> {
  const input = { name: unique('Shop'), url: 'http://127.0.0.1:8099/hooks', event_types: ['affiliate.created'], active };
  return mutate(account, 'webhookEndpoints.create', input);
}

async function invited(account: TestAccount): Promise<Outputs['invitations']['create']> {
  return must(account, '/invitations', { kind: 'member', email: `${unique('colleague')}@example.com` });
}

async function ruled(account: TestAccount): Promise<{ id: string }> {
  const { campaign } = await program(account);
  return must(account, '/reward_rules', { campaign_id: campaign.id, name: 'Pro', pay: { percent: 20 } });
}

/** Every write of every tool, except the writes that need the payment provider. */
export const WRITES: Write[] = [
  {
    tool: 'manage_campaigns',
    action: 'create',
    prepare: async () => ({
      name: unique('Campaign'),
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 5,
    }),
    events: ['campaign.created'],
  },
  {
    tool: 'manage_campaigns',
    action: 'update',
    prepare: async (_, account) => ({ id: (await program(account)).campaign.id, commission_percent: 12.5, default: true }),
    events: ['campaign.updated'],
  },
  {
    tool: 'manage_campaigns',
    action: 'archive',
    prepare: async (_, account) => ({ id: (await program(account)).campaign.id }),
    events: ['campaign.updated'],
  },
  {
    tool: 'manage_rewards',
    action: 'create',
    prepare: async (_, account) => {
      const { campaign, affiliate } = await program(account);
      return {
        campaign_id: campaign.id,
        affiliate_id: affiliate.id,
        name: 'December',
        when: { products: ['prod_pro'], sale_number: { from: 1, to: 1 } },
        pay: { percent: 30 },
        cap: { amount_cents: 5_000, currency: 'USD', per: 'sale' },
        from: '2999-12-01T00:00:00.000Z',
      };
    },
    events: ['reward_rule.created'],
  },
  {
    tool: 'manage_rewards',
    action: 'update',
    prepare: async (_, account) => ({ id: (await ruled(account)).id, pay: { percent: 25 }, position: 3 }),
    events: ['reward_rule.updated'],
  },
  {
    tool: 'manage_rewards',
    action: 'end',
    prepare: async (_, account) => ({ id: (await ruled(account)).id }),
    events: ['reward_rule.updated'],
  },
  {
    tool: 'manage_rewards',
    action: 'create_tier',
    prepare: async (_, account) => ({
      campaign_id: (await program(account)).campaign.id,
      name: 'Gold',
      metric: 'customers',
      reached_from: 10,
    }),
    events: ['tier.created'],
  },
  {
    tool: 'manage_rewards',
    action: 'end_tier',
    prepare: async (_, account) => {
      const { campaign } = await program(account);
      const tier = { campaign_id: campaign.id, name: 'Gold', metric: 'customers', from: 10 };
      return { id: (await must<{ id: string }>(account, '/tiers', tier)).id };
    },
    events: ['tier.updated'],
  },
  {
    tool: 'manage_affiliates',
    action: 'create',
    prepare: async (_, account) => ({
      email: `${unique('grace')}@example.com`,
      campaign_id: (await program(account)).campaign.id,
      first_name: 'Grace',
    }),
    events: ['affiliate.created', 'affiliate.approved'],
  },
  {
    tool: 'manage_affiliates',
    action: 'update',
    prepare: async (_, account) => ({ id: (await program(account, {}, { state: 'pending' })).affiliate.id, state: 'active' }),
    events: ['affiliate.approved'],
  },
  {
    tool: 'manage_affiliates',
    action: 'archive',
    prepare: async (_, account) => ({ id: (await program(account)).affiliate.id }),
    events: ['affiliate.updated'],
  },
  {
    tool: 'manage_affiliates',
    action: 'erase',
    prepare: async (_, account) => ({ id: (await program(account)).affiliate.id }),
    events: ['affiliate.updated'],
  },
  {
    tool: 'manage_sales',
    action: 'erase_customer',
    prepare: async (_, account) => {
      const { id: referral_id } = await refer(account, await program(account));
      const { sale } = await sell(account, { customer_email: `${unique('erased')}@example.com`, referral_id });
      const { body } = await account.api.get<{ customer: { id: string } }>(`/sales/${sale.id}`);
      return { id: body.customer.id };
    },
    events: ['customer.updated'],
  },
  {
    tool: 'manage_links',
    action: 'create',
    prepare: async (_, account) => {
      const { affiliate, campaign } = await program(account);
      return {
        affiliate_id: affiliate.id,
        campaign_id: campaign.id,
        url: 'https://shop.example.com/new',
        token: unique('token'),
      };
    },
    events: ['link.created'],
  },
  {
    tool: 'manage_links',
    action: 'update',
    prepare: async (_, account) => ({ id: (await program(account)).link.id, url: 'https://shop.example.com/other' }),
    events: ['link.updated'],
  },
  {
    tool: 'manage_links',
    action: 'archive',
    prepare: async (_, account) => ({ id: (await program(account)).link.id }),
    events: ['link.updated'],
  },
  {
    tool: 'manage_referrals',
    action: 'create',
    prepare: async (_, account) => ({ link_id: (await program(account)).link.id, conversion_state: 'conversion' }),
    events: ['referral.created', 'referral.converted'],
  },
  {
    tool: 'manage_referrals',
    action: 'update',
    prepare: async (_, account) => ({
      id: (await refer(account, await program(account))).id,
      conversion_state: 'conversion',
      customer_email: `${unique('buyer')}@example.com`,
    }),
    events: ['customer.created', 'referral.converted'],
  },
  {
    tool: 'manage_referrals',
    action: 'deactivate',
    prepare: async (_, account) => ({ id: (await refer(account, await program(account))).id }),
    events: ['referral.updated'],
  },
  {
    tool: 'manage_commissions',
    action: 'create',
    prepare: async (_, account) => ({
      affiliate_id: (await program(account)).affiliate.id,
      amount_cents: 5_000,
      currency: 'USD',
      note: 'Bonus for November',
    }),
    events: ['commission.created', 'commission.due', 'payout.created'],
  },
  {
    tool: 'manage_commissions',
    action: 'update',
    prepare: async (service, account) => ({
      id: (await earned(account)).commission.id,
      paid_at: service.clock.instant(),
    }),
    events: ['payout.updated', 'commission.paid'],
  },
  {
    tool: 'manage_commissions',
    action: 'void',
    prepare: async (_, account) => ({ id: (await earned(account)).commission.id, void_reason: 'Test order' }),
    events: ['payout.updated', 'commission.voided'],
  },
  {
    tool: 'manage_commissions',
    action: 'review',
    prepare: async (_, account) => ({ id: (await earned(account)).commission.id, review_action: 'suspicious' }),
    events: ['payout.updated', 'commission.updated'],
  },
  {
    tool: 'manage_payout_exports',
    action: 'create',
    prepare: async (_, account) => ({ payout_ids: [(await payee(account)).payout.id], notes: 'October' }),
    events: ['payout.updated'],
  },
  {
    tool: 'manage_payout_exports',
    action: 'pay',
    prepare: async (_, account) => ({ id: (await exported(account)).id, payment_reference: 'Batch 7' }),
    events: ['payout.paid', 'commission.paid', 'payout_export.paid'],
  },
  {
    tool: 'manage_payout_exports',
    action: 'release',
    prepare: async (_, account) => ({ id: (await exported(account)).id }),
    events: ['payout.updated'],
  },
  {
    tool: 'manage_payout_runs',
    action: 'create',
    prepare: async (_, account) => ({ affiliate_ids: [(await payee(account)).program.affiliate.id] }),
    events: ['payout.updated'],
  },
  {
    tool: 'manage_payout_runs',
    action: 'execute',
    prepare: async (_, account) => ({ id: (await planned(account)).id, async: false, payment_reference: 'Run 7' }),
    events: ['payout.paid', 'commission.paid', 'payout_run.finished'],
  },
  {
    tool: 'manage_payout_runs',
    action: 'remediate',
    prepare: async (_, account) => ({ id: (await planned(account)).id, remediation_action: 'cancel' }),
    events: ['payout.updated', 'payout_run.finished'],
  },
  {
    tool: 'manage_invitations',
    action: 'create',
    prepare: async () => ({ kind: 'member', email: `${unique('colleague')}@example.com`, role: 'member' }),
    events: [],
  },
  {
    tool: 'manage_invitations',
    action: 'change',
    prepare: async (_, account) => ({ id: (await invited(account)).id, role: 'admin' }),
    events: [],
  },
  {
    tool: 'manage_invitations',
    action: 'revoke',
    prepare: async (_, account) => ({ id: (await invited(account)).id }),
    events: [],
  },
  {
    tool: 'manage_invitations',
    action: 'resend',
    prepare: async (service, account) => {
      const { id } = await invited(account);
      service.clock.advance(1, 'minutes');
      return { id };
    },
    events: [],
  },
  {
    tool: 'manage_invitations',
    action: 'delete',
    prepare: async (_, account) => ({ id: (await invited(account)).id }),
    events: [],
  },
  {
    tool: 'manage_payouts',
    action: 'pay',
    prepare: async (_, account) => ({
      id: (await earned(account)).commission.payout_id,
      payment_reference: 'Transfer 7',
    }),
    events: ['payout.paid', 'commission.paid'],
  },
  {
    tool: 'manage_payouts',
    action: 'return',
    prepare: async (_, account) => {
      const { payout_id } = (await earned(account)).commission;
      await must(account, `/payouts/${payout_id}/pay`, {}, 200);
      return { id: payout_id, reason: 'Account closed' };
    },
    events: ['payout.returned', 'commission.due', 'payout.created'],
  },
  {
    tool: 'manage_payouts',
    action: 'prepare',
    prepare: async (service, account) => {
      await payableByToy(service, account);
      return { method: 'toy' };
    },
    events: ['payout.updated'],
  },
  {
    tool: 'manage_payouts',
    action: 'withdraw',
    prepare: async (service, account) => ({ id: (await preparedAttempt(service, account)).id }),
    events: ['payout.updated'],
  },
  {
    tool: 'manage_payouts',
    action: 'decide',
    prepare: async (service, account) => {
      const { id } = await preparedAttempt(service, account);
      const unknown = { state: 'unknown' as const, reason: 'key_expired', lease_until: null };
      await service.services.database.kysely.updateTable('payout_attempt').set(unknown).where('id', '=', id).execute();
      return { id, outcome: 'failed', reason: 'The bank found no such transfer.' };
    },
    events: ['payout.failed', 'payout.updated'],
  },
  {
    tool: 'manage_affiliates',
    action: 'decide',
    prepare: async (_, account) => {
      const { affiliate } = await program(account, {}, { state: 'pending' });
      return { affiliate_ids: [affiliate.id], decision: 'approve' };
    },
    events: ['affiliate.approved'],
  },
  {
    tool: 'manage_sales',
    action: 'record',
    prepare: async (_, account) => {
      const { id } = await refer(account, await program(account));
      return {
        external_id: unique('order'),
        referral_id: id,
        customer_email: `${unique('buyer')}@example.com`,
        amount_cents: 5_000,
        currency: 'USD',
      };
    },
    events: ['customer.created', 'referral.converted', 'sale.recorded', 'commission.created'],
  },
  {
    tool: 'manage_sales',
    action: 'refund',
    prepare: async (_, account) => {
      const { sale } = await earned(account);
      return { external_id: sale.external_id, refund_id: unique('refund'), amount_cents: sale.charge_amount_cents };
    },
    events: ['sale.refunded', 'payout.updated', 'commission.voided'],
  },
  {
    tool: 'manage_sales',
    action: 'assign',
    prepare: async (_, account) => {
      const { affiliate } = await program(account);
      const { sale } = await sell(account, { customer_email: `${unique('buyer')}@example.com` });
      return { id: sale.id, affiliate_id: affiliate.id };
    },
    events: ['referral.created', 'referral.converted', 'sale.updated', 'commission.created'],
  },
  {
    tool: 'manage_sales',
    action: 'update',
    prepare: async (_, account) => {
      const friends = await program(account);
      const { id: referral_id } = await refer(account, friends);
      const { sale } = await sell(account, { referral_id, customer_email: `${unique('buyer')}@example.com` });
      return { id: sale.id, amount_cents: 12_000 };
    },
    events: ['sale.updated', 'commission.updated'],
  },
  {
    tool: 'manage_sales',
    action: 'reconsider',
    prepare: async (_, account) => {
      const friends = await program(account);
      const { id } = await refer(account, friends);
      const setState = (state: string) => account.api.patch(`/affiliates/${friends.affiliate.id}`, { state });
      await setState('disabled');
      const { sale } = await sell(account, { referral_id: id, customer_email: `${unique('buyer')}@example.com` });
      await setState('active');
      return { id: sale.id };
    },
    events: ['sale.updated', 'referral.converted', 'commission.created'],
  },
  {
    tool: 'manage_webhooks',
    action: 'create',
    prepare: async () => ({
      name: unique('Shop'),
      url: 'http://127.0.0.1:8099/hooks',
      event_types: ['affiliate.created'],
      active: false,
    }),
    events: [],
  },
  {
    tool: 'manage_webhooks',
    action: 'retry',
    prepare: async (service, account) => {
      const { id } = await mutate<{ id: string }>(account, 'webhookEndpoints.sendTest', { id: (await endpoint(account)).id });
      await service.services.database.kysely
        .updateTable('webhook_delivery')
        .set({ status: 'failed', next_attempt_at: null, completed_at: service.clock.instant(), retry_requested_at: null })
        .where('id', '=', id)
        .execute();
      return { id };
    },
    events: [],
  },
  {
    tool: 'manage_webhooks',
    action: 'resend',
    prepare: async (service, account) => {
      const since = service.clock.instant();
      const { id } = await endpoint(account);
      await program(account);
      await mutate(account, 'webhookEndpoints.update', { id, active: true });
      return { endpoint_id: id, since };
    },
    events: [],
  },
  {
    tool: 'manage_webhooks',
    action: 'send_test',
    prepare: async (_, account) => ({ id: (await endpoint(account)).id }),
    events: [],
  },
  {
    tool: 'manage_webhooks',
    action: 'update',
    prepare: async (_, account) => ({ id: (await endpoint(account)).id, name: 'Order system' }),
    events: [],
  },
  {
    tool: 'manage_team',
    action: 'change_role',
    prepare: async (service, account) => ({ user_id: (await newMember(service, account, 'member')).id, role: 'admin' }),
    events: [],
  },
];
