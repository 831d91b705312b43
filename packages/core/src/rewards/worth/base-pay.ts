import type { CampaignTerms } from '../../program/campaigns/campaign.transitions.ts';
import type { Pay } from './rule.ts';

/** Returns what the base reward of a campaign pays. */
export function basePay({ commission_basis_points, commission_amount_cents, commission_amount_currency }: CampaignTerms): Pay {
  if (commission_basis_points !== null) return { kind: 'percent', basis_points: commission_basis_points };
  if (commission_amount_cents === null || commission_amount_currency === null) return { kind: 'nothing' };
  return { kind: 'fixed', amount_cents: commission_amount_cents, currency: commission_amount_currency, per: 'sale' };
}
