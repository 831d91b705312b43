/** The acts of persons in stories: each as a call at its own time, which the service knows at once. */
import { toEnvelope } from '@affiliate/core';
import { type Cast, type Casts, ruleValues } from './story-cast.ts';
import { instantOf } from './story-events.ts';
import type { Fact } from './story-facts.ts';
import type { Outcomes, Told } from './story-outcome.ts';

type Moment = Extract<Fact, { kind: 'moment' }>;

/** Where a moment happens: a run of a story, with the referral of the visit that the moment names. */
interface Scene {
  casts: Casts;
  outcomes: Outcomes;
  cast: Cast;
  told: Told;
  referral: string | null;
}

/** Performs what a person does. Returns the answer: `done`, the code of a refusal, or `missed` if there is nothing yet that the person could act on. */
export async function perform(moment: Moment, scene: Scene): Promise<string> {
  return answerOf(act(moment, scene).then((done) => (typeof done === 'string' ? done : done ? 'done' : 'missed')));
}

/** Returns the answer to a call: its result if that is a text, otherwise `done`, or the code of a refusal. */
export async function answerOf(call: Promise<unknown>): Promise<string> {
  try {
    const result = await call;
    return typeof result === 'string' ? result : 'done';
  } catch (error) {
    const { code } = toEnvelope(error).body;
    if (code === 'INTERNAL_ERROR') throw error;
    return code;
  }
}

async function act(moment: Moment, { casts, outcomes, cast, told, referral }: Scene): Promise<boolean | string> {
  const call = casts.at(cast.merchant, moment.day);
  if ('rule' in moment) {
    const id = cast.rules[moment.rule]!;
    await (moment.becomes === 'ended'
      ? call.rewardRules.end({ id })
      : call.rewardRules.update({ id, ...ruleValues(cast, moment.becomes) }));
    return true;
  }
  if ('terms' in moment) return (await call.campaigns.update({ id: cast.campaignId, ...moment.terms })) !== null;
  if ('state' in moment) {
    const { id, state } = { id: cast.affiliates[moment.who], state: moment.state };
    return (await call.affiliates.update({ id, state })) !== null;
  }
  if ('address' in moment) {
    const { email } = told.buyer;
    await call.referrals.update({ id: referral!, customer_email: email });
    // The address belongs to the customer who had it before or, without one, to that of the referral.
    const known = await outcomes.idsOf(cast, told, email);
    return known.length === 0 || `done for a customer with ${known.join()}`;
  }
  if ('act' in moment) {
    const kind = moment.onTop === true ? 'bonus' : 'sale';
    const id = await outcomes.commissionOf(cast, told, { place: moment.of, who: moment.who, kind });
    if (id === null) return false;
    if (moment.act === 'void') await call.commissions.void({ id });
    else if (moment.act === 'due') await call.commissions.update({ id, due_at: instantOf(moment.day + 500) });
    else await call.commissions.review({ id, review_action: moment.act });
    return true;
  }
  const id = await outcomes.saleOf(cast, told, moment.of);
  if (id === null) return false;
  if ('assign' in moment) await call.sales.assign({ id, affiliate_id: cast.affiliates[moment.assign], dry_run: false });
  else await call.sales.update({ id, amount_cents: moment.amount, dry_run: false });
  return true;
}
