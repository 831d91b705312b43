import { z } from 'zod';
import type { Services } from '../../platform/call/context.ts';
import { BRAND_NAME } from '../../identity/branding/branding.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { chooseDigest } from './choose-digest.ts';

const PURPOSE = 'no digests for ';

export const Unsubscribe = z.strictObject({ token: z.string().min(1).max(500) });
export const Unsubscribed = z.object({ account_name: z.string() });

/**
 * The address that ends an affiliate's digests, in the mail and in its headers (RFC 8058). Only a POST changes anything, because mail
 * programs open links to look at them. The token is sealed, so that nobody can make one for somebody else.
 */
export function unsubscribeUrl({ publicUrl, secrets }: Pick<Services, 'publicUrl' | 'secrets'>, affiliateId: string): string {
  return `${publicUrl}/unsubscribe?token=${encodeURIComponent(secrets.seal(PURPOSE + affiliateId))}`;
}

/** Ends the digests of the affiliate to whom a mail was sent. Doing it again changes nothing. Throws NOT_FOUND for a broken token or a deleted affiliate. */
export async function unsubscribe(services: Services, { token }: z.infer<typeof Unsubscribe>): Promise<{ account_name: string }> {
  const { kysely } = services.database;
  const affiliate = await kysely
    .selectFrom('affiliate')
    .innerJoin('account', 'account.id', 'affiliate.account_id')
    .select(['affiliate.id', BRAND_NAME.as('name')])
    .where('affiliate.id', '=', readToken(services, token))
    .executeTakeFirst();
  if (!affiliate) throw unknownToken();
  await chooseDigest(kysely, affiliate.id, 'none');
  return { account_name: affiliate.name };
}

function readToken({ secrets }: Services, token: string): string {
  let opened: string;
  try {
    opened = secrets.open(token);
  } catch {
    throw unknownToken();
  }
  if (!opened.startsWith(PURPOSE)) throw unknownToken();
  return opened.slice(PURPOSE.length);
}

function unknownToken(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'This link is incomplete or no longer valid. Choose in your profile how often you get mail.',
  );
}
