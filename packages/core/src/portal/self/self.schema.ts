import { z } from 'zod';
import { SHOWN_STATES } from '../../identity/affiliations/affiliations.ts';
import { Brand } from '../../identity/branding/branding.schema.ts';
import { ZONE_OF_DAYS } from '../../identity/sessions/session.schema.ts';
import { id } from '../../platform/wire/scalars.ts';

export const PortalSelf = z
  .object({
    affiliate_id: id('affiliate'),
    account_id: id('account'),
    account_name: z.string(),
    campaign_name: z.string(),
    time_zone: ZONE_OF_DAYS,
    state: z.enum(SHOWN_STATES),
    email: z.string(),
    brand: Brand,
    is_view: z
      .boolean()
      .describe('`true` if a member of the account is viewing the affiliate’s portal. Such a member cannot change anything.'),
    may_change: z
      .boolean()
      .describe('`false` if a program of the merchant opened the portal: payout details, name and address cannot be changed.'),
  })
  .meta({ id: 'PortalSelf', description: 'The affiliate whose portal is open.' });
export type PortalSelf = z.infer<typeof PortalSelf>;
