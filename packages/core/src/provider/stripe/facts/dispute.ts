import { z } from 'zod';
import type { DisputeClosed } from '../../port/provider-event.ts';
import { toMinorUnit } from '../values/minor-unit.ts';
import { amount, currency, reference, name } from '../values/provider-object.ts';
import { paymentReference } from './payment-reference.ts';

/** `charge.dispute.closed` */
export const disputeFact = z
  .object({ id: name, amount, currency, charge: reference, payment_intent: reference, status: z.string() })
  .transform((dispute): DisputeClosed => ({
    kind: 'dispute_closed',
    payment: paymentReference({ chargeId: dispute.charge, paymentIntentId: dispute.payment_intent }),
    disputeId: dispute.id,
    amount: toMinorUnit(dispute.amount, dispute.currency),
    currency: dispute.currency,
    lost: dispute.status === 'lost',
  }));
