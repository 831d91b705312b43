import { emit } from '../../webhooks/events/emit.ts';
import type { Producer } from '../batches/producer.ts';
import { getPayoutExportRecord } from './payout-export.queries.ts';
import { PayoutExportEventData } from './payout-export.schema.ts';

/** Exports are paid without a check of single payouts, because the money was sent with the file. The start of the payment has checked all of them. */
export const EXPORTS: Producer = {
  kind: 'export',
  maxItems: () => 500,
  maxCommissions: 10_000,
  wasSent: true,
  announceEnd: async (ctx, { id }) => {
    emit(ctx, 'payout_export.paid', PayoutExportEventData.parse(await getPayoutExportRecord(ctx, id)));
  },
};
