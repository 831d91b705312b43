import type { Room } from '../platform/room.ts';

/** The declarations of the room `payouts`. */
export const PAYOUTS = {
  named: { payout_batch: 'payout_batch', payout_export: 'payout_batch', payout_run: 'payout_batch', payout_rail: 'payout_rail' },
  people: {
    payout_rail: 'The account is that of the merchant at the service that pays.',
    screening_name: 'Published by the authorities that list these people.',
    rail_notice: 'Names of notices and payments, without those of people.',
    payout_batch: { affiliate: { rows: '$id = any (affiliate_ids)', erase: 'stays' } },
  },
  retention: {
    rail_notice: { key: ['rail_id', 'notice_id'], since: 'received_at', days: 90 },
  },
  jobs: {
    /** Continues runs that are executing, and the payment of exports. */
    payout_batches: {},
    /** Sends prepared payments, and follows them. */
    payout_attempts: {},
    /** Compares affiliates with lists before they are paid. */
    payout_screenings: {},
  },
} satisfies Room;

type Declared = (typeof PAYOUTS)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
