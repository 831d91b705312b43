import type { Instant } from '../../platform/time/instant.ts';
import type { Digest } from '../../platform/wire/states.ts';
import type { AffiliateMail } from '../../program/affiliate-mails/mail-catalog.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_notice: AffiliateNoticeTable;
    digest_progress: DigestProgressTable;
  }
}

/**
 * Records that an affiliate has got an email for an occasion. It is written in the same transaction as the email, so that the email is never written
 * twice, even if the process is killed.
 */
interface AffiliateNoticeTable {
  affiliate_id: string;
  mail: AffiliateMail;
  /** Version of the terms, id of the payout or of the commission, or instant at which the digest's period ended. */
  occasion: string;
  account_id: string;
  created_at: Instant;
}

/** The day up to which an account's digests of one kind have been written. */
interface DigestProgressTable {
  account_id: string;
  digest: Exclude<Digest, 'none' | 'each'>;
  /** Date in the account's time zone. The day itself is not included. */
  until: string;
}
