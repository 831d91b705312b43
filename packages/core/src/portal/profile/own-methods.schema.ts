import { z } from 'zod';
import {
  CreatePayoutMethod,
  OpenedPayoutAccount,
  OpenPayoutAccount,
  PayoutMethodKind,
  PayoutMethodRecord,
} from '../../program/payout-methods/payout-method.schema.ts';

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

export const OpenOwnAccount = OpenPayoutAccount.pick({ kind: true, country: true });
export const OpenedOwnAccount = OpenedPayoutAccount.pick({ url: true, expires_at: true }).meta({
  id: 'OpenedOwnAccount',
  description: 'A page of the service that pays, where the affiliate enters what it asks for.',
});
