import type { Fields } from '../support/http.ts';
import { type PayoutExport, type PayoutRun, payee } from '../payouts/program.ts';
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

async function invited(account: TestAccount): Promise<Outputs['invitations']['create']> {
  return must(account, '/invitations', { kind: 'member', email: `${unique('colleague')}@example.com` });
}

/** Every write of every tool, except the writes that need the payment provider. */
export const WRITES: Write[] = [
  {
    tool: 'affiliates',
    action: 'portal_link',
    prepare: async (_, account) => ({ id: (await program(account)).affiliate.id }),
    events: [],
  },
  {
    tool: 'campaigns',
    action: 'create',
    prepare: async () => ({
      name: unique('Campaign'),
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 5,
    }),
    events: [],
  },
  {
    tool: 'campaigns',
    action: 'update',
    prepare: async (_, account) => ({ id: (await program(account)).campaign.id, commission_percent: 12.5, default: true }),
    events: [],
  },
  {
    tool: 'campaigns',
    action: 'archive',
    prepare: async (_, account) => ({ id: (await program(account)).campaign.id }),
    events: [],
  },
  {
    tool: 'affiliates',
    action: 'create',
    prepare: async (_, account) => ({
      email: `${unique('grace')}@example.com`,
      campaign_id: (await program(account)).campaign.id,
      first_name: 'Grace',
    }),
    events: ['affiliate.created', 'affiliate.approved'],
  },
  {
    tool: 'affiliates',
    action: 'update',
    prepare: async (_, account) => ({ id: (await program(account, {}, { state: 'pending' })).affiliate.id, state: 'active' }),
    events: ['affiliate.approved'],
  },
  {
    tool: 'affiliates',
    action: 'archive',
    prepare: async (_, account) => ({ id: (await program(account)).affiliate.id }),
    events: [],
  },
  {
    tool: 'affiliates',
    action: 'embed_token',
    prepare: async (_, account) => ({ id: (await program(account)).affiliate.id }),
    events: [],
  },
  {
    tool: 'links',
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
    events: [],
  },
  {
    tool: 'links',
    action: 'update',
    prepare: async (_, account) => ({ id: (await program(account)).link.id, url: 'https://shop.example.com/other' }),
    events: [],
  },
  { tool: 'links', action: 'archive', prepare: async (_, account) => ({ id: (await program(account)).link.id }), events: [] },
  {
    tool: 'referrals',
    action: 'create',
    prepare: async (_, account) => ({ link_id: (await program(account)).link.id, conversion_state: 'conversion' }),
    events: ['referral.created', 'referral.converted'],
  },
  {
    tool: 'referrals',
    action: 'update',
    prepare: async (_, account) => ({
      id: (await refer(account, await program(account))).id,
      conversion_state: 'conversion',
      customer_email: `${unique('buyer')}@example.com`,
    }),
    events: ['referral.converted'],
  },
  {
    tool: 'referrals',
    action: 'deactivate',
    prepare: async (_, account) => ({ id: (await refer(account, await program(account))).id }),
    events: [],
  },
  {
    tool: 'commissions',
    action: 'create',
    prepare: async (_, account) => ({
      affiliate_id: (await program(account)).affiliate.id,
      amount_cents: 5_000,
      currency: 'USD',
      note: 'Bonus for November',
    }),
    events: ['commission.created', 'commission.due'],
  },
  {
    tool: 'commissions',
    action: 'update',
    prepare: async (service, account) => ({
      id: (await earned(account)).commission.id,
      paid_at: service.clock.instant(),
    }),
    events: [],
  },
  {
    tool: 'commissions',
    action: 'void',
    prepare: async (_, account) => ({ id: (await earned(account)).commission.id, void_reason: 'Test order' }),
    events: ['commission.voided'],
  },
  {
    tool: 'commissions',
    action: 'review',
    prepare: async (_, account) => ({ id: (await earned(account)).commission.id, review_action: 'suspicious' }),
    events: [],
  },
  {
    tool: 'payout_exports',
    action: 'create',
    prepare: async (_, account) => ({ payout_ids: [(await payee(account)).payout.id], notes: 'October' }),
    events: [],
  },
  {
    tool: 'payout_exports',
    action: 'pay',
    prepare: async (_, account) => ({ id: (await exported(account)).id, payment_reference: 'Batch 7' }),
    events: ['payout.paid'],
  },
  {
    tool: 'payout_exports',
    action: 'release',
    prepare: async (_, account) => ({ id: (await exported(account)).id }),
    events: [],
  },
  {
    tool: 'payout_runs',
    action: 'create',
    prepare: async (_, account) => ({ affiliate_ids: [(await payee(account)).program.affiliate.id] }),
    events: [],
  },
  {
    tool: 'payout_runs',
    action: 'execute',
    prepare: async (_, account) => ({ id: (await planned(account)).id, async: false, payment_reference: 'Run 7' }),
    events: ['payout.paid'],
  },
  {
    tool: 'payout_runs',
    action: 'remediate',
    prepare: async (_, account) => ({ id: (await planned(account)).id, remediation_action: 'cancel' }),
    events: [],
  },
  {
    tool: 'invitations',
    action: 'create',
    prepare: async () => ({ kind: 'member', email: `${unique('colleague')}@example.com`, role: 'member' }),
    events: [],
  },
  {
    tool: 'invitations',
    action: 'change',
    prepare: async (_, account) => ({ id: (await invited(account)).id, role: 'admin' }),
    events: [],
  },
  { tool: 'invitations', action: 'revoke', prepare: async (_, account) => ({ id: (await invited(account)).id }), events: [] },
  {
    tool: 'invitations',
    action: 'resend',
    prepare: async (service, account) => {
      const { id } = await invited(account);
      service.clock.advance(1, 'minutes');
      return { id };
    },
    events: [],
  },
  { tool: 'invitations', action: 'delete', prepare: async (_, account) => ({ id: (await invited(account)).id }), events: [] },
  {
    tool: 'payouts',
    action: 'pay',
    prepare: async (_, account) => ({
      id: (await earned(account)).commission.payout_id,
      payment_reference: 'Transfer 7',
    }),
    events: ['payout.paid'],
  },
  {
    tool: 'payouts',
    action: 'return',
    prepare: async (_, account) => {
      const { payout_id } = (await earned(account)).commission;
      await must(account, `/payouts/${payout_id}/pay`, {}, 200);
      return { id: payout_id, reason: 'Account closed' };
    },
    events: ['payout.returned', 'commission.due'],
  },
];
