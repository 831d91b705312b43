import type { Services, WriteCtx } from '../../platform/call/context.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { OwnRows, PortalAffiliate } from './own-rows.ts';

/**
 * The context of a procedure for affiliates. It has no database connection. Rows can only be read through `mine`, which finds only the
 * affiliate's own rows.
 */
export interface AffiliateCtx {
  affiliate: PortalAffiliate;
  mine: OwnRows;
  now: Instant;
  /** The signed-in person. Null when the portal was opened by a link or token. */
  userId: string | null;
  /** Opens the affiliate's own sealed payout addresses. */
  secrets: SecretBox;
  payoutMethods: Services['payoutMethods'];
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
  /** Returns the address of a file's content. */
  fileUrl: (
    file: { kind: 'asset'; id: string } | { kind: 'statement'; id: string; format: 'csv' | 'pdf'; language: Language },
  ) => string;
}

/**
 * The context of a mutation for affiliates, inside its transaction. Unlike `mine`, `tx` reaches the rows of other affiliates, so it is passed
 * only to services of the program, with ids found through `mine`.
 */
export interface AffiliateWriteCtx extends AffiliateCtx {
  tx: WriteCtx;
}
