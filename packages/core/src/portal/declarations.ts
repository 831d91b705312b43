import type { Room } from '../platform/room.ts';
import { PORTAL_REASONS } from './reasons.ts';

/** The declarations of the room `portal`. */
export const PORTAL = {
  named: { application: 'application', asset: 'asset' },
  people: {
    affiliate_application: { affiliate: { erase: { answers: "'[]'", link_code: 'null', note: 'null' }, export: 'application' } },
    affiliate_notice: { affiliate: { erase: 'stays', export: 'notices' } },
    application: { affiliate: { rows: 'account_id = $account and lower(email) = any ($addresses)', erase: 'delete' } },
    asset: 'The name is that of a file.',
    email_change: { affiliate: { erase: 'delete', export: 'changes_of_address' } },
    portal_access: { affiliate: { erase: 'delete', export: 'portal_accesses' } },
    terms_acceptance: { affiliate: { erase: { client_address: "''" }, export: 'accepted_terms' } },
  },
  uniqueIndexes: {
    program_terms_pkey: { message: PORTAL_REASONS.terms_published_meanwhile },
  },
  retention: {
    application: {},
    email_change: { key: ['affiliate_id'] },
    portal_access: {},
    // Records of digests that have no effect on later ones, which contain only commissions earned since the end of the last weekly digest. The six days
    // are three times the tolerance for changed time zones (`digests.ts`).
    affiliate_notice: {
      key: ['affiliate_id', 'mail', 'occasion'],
      since: 'created_at',
      days: 35,
      when: `mail = 'commission_digest' and not exists (
        select from digest_progress progress
        where progress.account_id = affiliate_notice.account_id and progress.digest = 'weekly'
          and progress.until - interval '6 days' <= affiliate_notice.created_at)`,
    },
  },
  jobs: {
    /** Checks the domains of portals. */
    portal_hosts: {},
  },
} satisfies Room;

type Declared = (typeof PORTAL)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
