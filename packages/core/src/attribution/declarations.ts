import type { Room } from '../platform/room.ts';

/** The declarations of the room `attribution`. */
export const ATTRIBUTION = {
  people: {
    attribution_claim: { customer: { erase: 'stays', export: 'claims' } },
    lead_network: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays' } },
  },
  retention: {
    lead_network: { key: ['referral_id'] },
  },
  jobs: {
    /** Flags leads of which many came from one network. */
    crowded_leads: {},
  },
} satisfies Room;

type Declared = (typeof ATTRIBUTION)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
