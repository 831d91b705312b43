import { ATTRIBUTION_JOBS } from './attribution/jobs.ts';
import { IDENTITY_JOBS } from './identity/jobs.ts';
import { IMPORTS_JOBS } from './imports/jobs.ts';
import { INTAKE_JOBS } from './intake/jobs.ts';
import { LEDGER_JOBS } from './ledger/jobs.ts';
import { PAYOUTS_JOBS } from './payouts/jobs.ts';
import type { JobKindProperties, JobKinds } from './platform/jobs/jobs.ts';
import { MAIL_JOBS } from './platform/mail/jobs.ts';
import { PORTAL_JOBS } from './portal/jobs.ts';
import { PRIVACY_JOBS } from './privacy/jobs.ts';
import { WEBHOOKS_JOBS } from './webhooks/jobs.ts';

/** The kinds of jobs of all rooms. */
export const JOB_KINDS: Readonly<Record<keyof JobKinds, JobKindProperties>> = {
  ...ATTRIBUTION_JOBS,
  ...IDENTITY_JOBS,
  ...IMPORTS_JOBS,
  ...INTAKE_JOBS,
  ...LEDGER_JOBS,
  ...MAIL_JOBS,
  ...PAYOUTS_JOBS,
  ...PORTAL_JOBS,
  ...PRIVACY_JOBS,
  ...WEBHOOKS_JOBS,
};
