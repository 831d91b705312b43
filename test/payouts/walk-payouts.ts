/** Operations of the random walk that change commissions, payouts and the program. */
import { advancePayoutBatches } from '@affiliate/core';
import { RECENT, type Walk } from './walk.ts';

export const COMMISSION_OPERATIONS = {
  async void(walk: Walk) {
    const commission = await walk.recentCommission();
    if (!commission || commission.state === 'voided') return;
    await walk.api().commissions.void({ id: commission.id });
    walk.noteVoided(commission);
  },

  async review(walk: Walk) {
    const commission = await walk.recentCommission();
    if (!commission) return;
    const review_action = walk.random.weighted({ approve: 4, suspicious: 4, deactivate: 1 });
    await walk.api().commissions.review({ id: commission.id, review_action });
    if (review_action !== 'deactivate') return;
    walk.noteVoided(commission);
    if (commission.referral_id !== null) await walk.api().referrals.update({ id: commission.referral_id, deactivated_at: null });
  },

  async markPaid(walk: Walk) {
    const commission = await walk.recentCommission();
    if (!commission) return;
    const { id, affiliate_id: affiliateId, currency, livemode, amount_cents: cents } = commission;
    await walk.api().commissions.update({ id, paid_at: walk.service.clock.instant() });
    walk.ledger.paidByHand.set(id, { affiliateId, currency, livemode, cents });
  },

  async markUnpaid(walk: Walk) {
    const id = walk.random.pick([...walk.ledger.paidByHand.keys()].slice(-RECENT));
    if (id === undefined) return;
    await walk.api().commissions.update({ id, paid_at: null });
    walk.ledger.paidByHand.delete(id);
  },

  async reschedule(walk: Walk) {
    const commission = await walk.recentCommission();
    if (!commission) return;
    const days = walk.random.int(-2, 4);
    const due_at = new Date(walk.service.clock.now().getTime() + days * 86_400_000).toISOString();
    await walk.api().commissions.update({ id: commission.id, due_at });
  },
};

export const PROGRAM_OPERATIONS = {
  /** Changes a campaign's rule for clicks. The new rule applies to later clicks. */
  async switchClick(walk: Walk) {
    const { campaignId: id } = walk.random.pick(walk.referrals)!;
    const attribution = walk.random.chance(0.5) ? 'last_click' : 'first_click';
    await walk.api().campaigns.update({ id, attribution });
    if (attribution === 'last_click') walk.lastClick.add(id);
    else walk.lastClick.delete(id);
  },

  /**
   * Decides at random whether the account prefers codes to links. Applies to codes that are redeemed later. Writes to the database directly, because
   * the API lets only an owner change this setting.
   */
  async switchCodes(walk: Walk) {
    walk.codeBeforeLink = walk.random.chance(0.5);
    await walk.rows(
      `update account set code_before_link = $2, former_code_choices = case when code_before_link = $2 then former_code_choices
        else former_code_choices || jsonb_build_object('until', $3::text, 'code_before_link', code_before_link) end
      where id = $1`,
      walk.codeBeforeLink,
      walk.service.clock.instant(),
    );
  },

  /**
   * Moves an affiliate to another campaign. Existing referrals keep earning under the terms of their campaign. A code in the former campaign moves
   * together with the links.
   */
  async moveAffiliate(walk: Walk) {
    const { campaignId } = walk.random.pick(walk.referrals)!;
    const id = walk.random.pick(walk.affiliates)!;
    const move_links = walk.random.chance(0.5);
    await walk.api().affiliates.update({ id, campaign_id: campaignId, move_links });
    if (move_links && walk.campaignOfCode.get(id) === walk.campaignOf.get(id)) walk.campaignOfCode.set(id, campaignId);
    walk.campaignOf.set(id, campaignId);
  },

  async affiliateState(walk: Walk) {
    const state = walk.random.weighted({ active: 5, suspicious: 1, disabled: 1 });
    await walk.api().affiliates.update({ id: walk.random.pick(walk.affiliates)!, state });
  },

  async wallet(walk: Walk) {
    await walk.api().affiliates.update({
      id: walk.random.pick(walk.affiliates)!,
      walleta_email: walk.random.chance(0.8) ? 'x@pay.example' : null,
    });
  },
};

export const PAYOUT_OPERATIONS = {
  async payByHand(walk: Walk) {
    const payout = walk.random.pick((await walk.api().payouts.list({ limit: 100 })).data);
    if (payout) await walk.api().payouts.pay({ id: payout.id });
  },

  async returnPayout(walk: Walk) {
    const payout = walk.random.pick((await walk.api().payouts.list({ limit: 20, state: ['paid', 'returned'] })).data);
    if (!payout) return;
    await walk.api().payouts.return({ id: payout.id, reason: 'Account closed' });
  },

  async export(walk: Walk) {
    const livemode = walk.random.chance(0.7);
    const eligible = (await walk.api().payouts.list({ eligible: true, livemode })).data.map(({ id }) => id);
    const some = eligible.filter(() => walk.random.chance(0.5));
    await walk
      .api()
      .payoutExports.create({ livemode, ...(walk.random.chance(0.5) || some.length === 0 ? {} : { payout_ids: some }) });
  },

  async payExport(walk: Walk) {
    const { data } = await walk.api().payoutExports.list({});
    const one = walk.random.pick(data);
    if (one) await walk.api().payoutExports.pay({ payout_export_id: one.id, already_sent: walk.random.chance(0.5) });
    if (walk.random.chance(0.2)) await advancePayoutBatches(walk.service.services);
  },

  async deleteExport(walk: Walk) {
    const live = (await walk.api().payoutExports.list({ limit: 100 })).data.filter(({ state }) => state === 'processing');
    const one = walk.random.pick(live);
    if (one) await walk.api().payoutExports.release({ id: one.id });
  },

  async run(walk: Walk) {
    const affiliate_ids = walk.random.chance(0.5) ? walk.affiliates.filter(() => walk.random.chance(0.6)) : [];
    const { id } = await walk.api().payoutRuns.create({
      execute_now: walk.random.chance(0.2),
      livemode: walk.random.chance(0.7),
      ...(affiliate_ids.length > 0 ? { affiliate_ids } : {}),
    });
    walk.runs.push(id);
  },

  async executeRun(walk: Walk) {
    const id = walk.random.pick(walk.runs.slice(-6));
    if (id === undefined) return;
    await walk.api().payoutRuns.execute({ id, async: walk.random.chance(0.5) });
    if (walk.random.chance(0.7)) await advancePayoutBatches(walk.service.services);
  },

  async remediateRun(walk: Walk) {
    const id = walk.random.pick(walk.runs.slice(-10));
    const remediation_action = walk.random.weighted({ retry: 5, exclude: 2, cancel: 2 });
    if (id !== undefined) await walk.api().payoutRuns.remediate({ id, remediation_action });
  },
};
