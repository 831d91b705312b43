import type { Room } from '../platform/room.ts';

/** The declarations of the room `intake`. */
export const INTAKE = {
  retention: {
    // Longer than the provider keeps an event (30 days), so that the provider cannot deliver a deleted event again.
    psp_event: { key: ['connection_id', 'psp_event_id'], since: 'received_at', days: 90, when: "state <> 'pending'" },
  },
  jobs: {
    /** Applies facts that a merchant's own server has sent. */
    provider_events: {},
    /** Goes on with looks for lost events that were cut off. */
    lost_events: {},
  },
} satisfies Room;

type Declared = (typeof INTAKE)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
