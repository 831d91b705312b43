import type { Room } from '../platform/room.ts';

/** The declarations of the room `imports`. */
export const IMPORTS = {
  named: { import: 'data_import', import_row: 'data_import_row' },
  people: {
    data_import_row: {
      affiliate: {
        rows: `made_ids && array(
          select $id union all select id from commission where affiliate_id = $id union all select id from payout where affiliate_id = $id
          union all select id from promo_code where affiliate_id = $id)`,
        erase: { data: `'{}'` },
      },
      customer: {
        rows: 'made_ids && array[$id] or made_ids && array($referrals) or made_ids && array($sales)',
        erase: { data: `'{}'` },
      },
    },
  },
  jobs: {
    /** Continues imports that read, make records or undo them. */
    imports: {},
  },
} satisfies Room;

type Declared = (typeof IMPORTS)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
