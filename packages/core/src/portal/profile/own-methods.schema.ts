import { z } from 'zod';
import { CreatePayoutMethod, PayoutMethodKind, PayoutMethodRecord } from '../../program/payout-methods/payout-method.schema.ts';

const { affiliate_id: _, ...shown } = PayoutMethodRecord.shape;
export const PortalPayoutMethods = z
  .object({
    data: z.array(z.object(shown)),
    offered: z.array(PayoutMethodKind).describe('The kinds that the affiliate can add.'),
  })
  .meta({ id: 'PortalPayoutMethods', description: 'The ways in which the affiliate is paid.' });
export type PortalPayoutMethods = z.infer<typeof PortalPayoutMethods>;

export const SetPayoutMethod = CreatePayoutMethod.omit({ affiliate_id: true });
export type SetPayoutMethod = z.infer<typeof SetPayoutMethod>;
