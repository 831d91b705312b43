import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { slugify } from '../../platform/wire/slug.ts';
import { PROGRAM_REASONS } from '../reasons.ts';

/** Tokens that no affiliate gets: placeholders that broken pages put into addresses, and words by which somebody would speak for the merchant. */
const RESERVED = new Set(
  (
    'undefined null nan none false true object test demo example token code your-code your-token via ref referral affiliate affiliates partner ' +
    'admin administrator official support help service security staff team billing payment payments login signin sign-in api root system www'
  ).split(' '),
);

/** True for a token that no affiliate gets. */
export function isReserved(token: string): boolean {
  return RESERVED.has(token.toLowerCase());
}

/** Returns the token that is made of what an affiliate has typed: as typed if it has the form of a token, otherwise spelled in Latin letters. */
export function tokenOfWords(words: string): string {
  const typed = words.trim();
  return /^[\w-]+$/.test(typed) ? typed : slugify(typed);
}

/** SQL condition: the row `link` has one of these tokens in lower case, or had it before its affiliate chose another one. */
export function hasToken(tokens: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(lower(link.token) = any (${tokens}::text[]) or lower(link.former_token) = any (${tokens}::text[]))`;
}

/** Finds the account's links by the tokens in lower case that they have or had. */
export async function findByToken(
  { db, accountId }: { db: Db; accountId: string },
  tokens: readonly string[],
): Promise<Map<string, { id: string; affiliate_id: string }>> {
  const { rows } = await sql<{ token: string; id: string; affiliate_id: string }>`
    select named.token, link.id, link.affiliate_id from link
    cross join lateral (select lower(link.token) as token union select lower(link.former_token)) named
    where link.account_id = ${accountId} and ${hasToken(tokens)} and named.token is not null`.execute(db);
  return new Map(rows.map(({ token, ...link }) => [token, link]));
}

/** Who chooses a token: the affiliate, unless somebody who is not one yet, and the link whose token it becomes, unless a new one. */
interface Chooser {
  affiliateId?: string;
  linkId?: string;
}

interface Refusal {
  reason: Reason;
  code: string;
}

/**
 * Returns why an affiliate may not choose a token: it is reserved, another link has or had it, or people would take it for that of another affiliate or for
 * the program itself (docs/rules/program.md#links). Null for a token that may be chosen.
 */
export async function refusalOfToken(
  { db, accountId }: { db: Db; accountId: string },
  token: string,
  { affiliateId, linkId }: Chooser,
): Promise<Refusal | null> {
  const { rows } = await sql<{ taken: boolean; names_program: boolean; alike: boolean }>`
    select
      exists (select from link where account_id = ${accountId} and ${hasToken([token.toLowerCase()])} and id is distinct from ${linkId ?? null}) as taken,
      exists (
        select from (
          select slug from program_slug where account_id = ${accountId} union all select slug from campaign where account_id = ${accountId}
        ) named where token_look(slug) = token_look(${token})) as names_program,
      exists (select from link where account_id = ${accountId} and token_look(token) = token_look(${token})
        and affiliate_id is distinct from ${affiliateId ?? null}) as alike`.execute(db);
  const { taken, names_program, alike } = rows[0]!;
  if (taken) return { reason: PROGRAM_REASONS.link_token_taken, code: 'taken' };
  if (isReserved(token) || names_program) return { reason: PROGRAM_REASONS.link_token_reserved, code: 'reserved' };
  return alike ? { reason: PROGRAM_REASONS.link_token_alike, code: 'alike' } : null;
}

/** Throws VALIDATION_ERROR, at a field, for a token that an affiliate may not choose (`refusalOfToken`). */
export async function assertChoosable(
  scope: { db: Db; accountId: string },
  token: string,
  { path, ...chooser }: Chooser & { path: string },
): Promise<void> {
  const refusal = await refusalOfToken(scope, token, chooser);
  if (refusal) throw invalid(path, refusal.reason, refusal.code);
}
