import type { Instant } from '../../platform/time/instant.ts';
import type { AffiliateMail } from '../../program/affiliate-mails/mail-catalog.ts';
import type { Digest } from '../../program/affiliates/affiliate.states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_notice: AffiliateNoticeTable;
    digest_progress: DigestProgressTable;
  }
}

/** A mail that an affiliate gets once for an occasion. Written with the mail, so that no second one follows whatever is killed. */
interface AffiliateNoticeTable {
  affiliate_id: string;
  mail: AffiliateMail;
  /** A version of the terms, a payout, or the time at which a digest ends (of former versions: its day). */
  occasion: string;
  account_id: string;
  created_at: Instant;
}

/** The day before which an account's digests are written. */
interface DigestProgressTable {
  account_id: string;
  digest: Exclude<Digest, 'none'>;
  /** In the account's time zone. */
  until: string;
}
