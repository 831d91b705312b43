import type { Room } from '../platform/room.ts';

/** The declarations of the room `privacy`. */
export const PRIVACY = {
  jobs: {
    /** Completes the erasure of personal data. */
    erasures: {},
  },
} satisfies Room;

type Declared = (typeof PRIVACY)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
