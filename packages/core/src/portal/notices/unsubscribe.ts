import { z } from 'zod';
import { BRAND_NAME } from '../../identity/branding/branding.ts';
import { endMemberMail } from '../../identity/members/member-mails.ts';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Digest } from '../../platform/wire/states.ts';
import { PORTAL_REASONS } from '../reasons.ts';

/** Changes how often an affiliate gets digests. Does not change `updated_at`, because no API shows this choice. */
export async function chooseDigest(db: Db, affiliateId: string, digest: Digest): Promise<void> {
  await db.updateTable('affiliate').set({ digest }).where('id', '=', affiliateId).where('digest', '<>', digest).execute();
}

const PURPOSE = 'no digests for ';

export const Unsubscribe = z.strictObject({ token: z.string().min(1).max(500) });
export const Unsubscribed = z.object({ account_name: z.string() });

/**
 * Returns the address that ends an affiliate's digests, for the email's text and headers (RFC 8058). Only a POST to it changes anything, because
 * mail programs open links to scan them. The token is sealed, so that nobody can make an address for somebody else.
 */
export function unsubscribeUrl({ publicUrl, secrets }: Pick<Services, 'publicUrl' | 'secrets'>, affiliateId: string): string {
  return `${publicUrl}/unsubscribe?token=${encodeURIComponent(secrets.seal(PURPOSE + affiliateId))}`;
}

/**
 * Unsubscribes the recipient of an email: an affiliate from digests, or a member from one kind of email. Calling it again changes nothing. Throws
 * NOT_FOUND for a broken token, a deleted affiliate, and a person who is no longer a member.
 */
export async function unsubscribe(services: Services, { token }: z.infer<typeof Unsubscribe>): Promise<{ account_name: string }> {
  const { kysely } = services.database;
  const opened = openToken(services, token);
  const ofMember = await endMemberMail(kysely, opened);
  if (ofMember) return ofMember;
  if (!opened.startsWith(PURPOSE)) throw unknownToken();
  const affiliate = await kysely
    .selectFrom('affiliate')
    .innerJoin('account', 'account.id', 'affiliate.account_id')
    .select(['affiliate.id', BRAND_NAME.as('name')])
    .where('affiliate.id', '=', opened.slice(PURPOSE.length))
    .executeTakeFirst();
  if (!affiliate) throw unknownToken();
  await chooseDigest(kysely, affiliate.id, 'none');
  return { account_name: affiliate.name };
}

function openToken({ secrets }: Services, token: string): string {
  try {
    return secrets.open(token);
  } catch {
    throw unknownToken();
  }
}

function unknownToken(): DomainError {
  return new DomainError('NOT_FOUND', PORTAL_REASONS.unsubscribe_link_invalid);
}
