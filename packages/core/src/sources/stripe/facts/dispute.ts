import { z } from 'zod';
import { toMinorUnit } from '../values/minor-unit.ts';
import type { DisputeChanged } from '../values/provider-event.ts';
import { amount, currency, reference, name } from '../values/provider-object.ts';
import { paymentReference } from './payment-reference.ts';

/** Statuses of a dispute that has ended without taking money from the merchant. */
const ENDED: readonly string[] = ['won', 'warning_closed', 'prevented'];

/** `charge.dispute.*`. Every event contains the dispute with its status at that moment. An inquiry (`warning_*`) counts as a dispute. */
export const disputeFact = z
  .object({ id: name, amount, currency, charge: reference, payment_intent: reference, status: z.string() })
  .transform((dispute): DisputeChanged => ({
    kind: 'dispute_changed',
    payment: paymentReference({ chargeId: dispute.charge, paymentIntentId: dispute.payment_intent }),
    disputeId: dispute.id,
    amount: toMinorUnit(dispute.amount, dispute.currency),
    currency: dispute.currency,
    outcome: dispute.status === 'lost' ? 'lost' : ENDED.includes(dispute.status) ? 'won' : 'open',
  }));
