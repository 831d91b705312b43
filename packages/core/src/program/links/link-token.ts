import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { advisoryLock } from '../../platform/call/locks.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import { slugify } from '../../platform/wire/latin.ts';
import { PROGRAM_REASONS } from '../reasons.ts';

/** Tokens that no affiliate gets: placeholders that broken pages put into addresses, and words by which somebody would speak for the merchant. */
const RESERVED = (
  'undefined null nan none false true object test demo example token code your-code your-token via ref referral affiliate affiliates partner ' +
  'admin administrator official support help service security staff team billing payment payments login signin sign-in api root system www'
).split(' ');

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

/** Locks the tokens of the account: two affiliates who choose tokens that look the same at the same time do not see each other. */
export async function lockTokens(ctx: WriteCtx): Promise<void> {
  await advisoryLock(ctx, 'link token');
}

/** The affiliate and the link for which a token is chosen. Without an affiliate: somebody who is not one yet. Without a link: a new one. */
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
  const { rows } = await sql<{ taken: boolean; reserved: boolean; alike: boolean }>`
    select
      exists (select from link where account_id = ${accountId} and ${hasToken([token.toLowerCase()])} and id is distinct from ${linkId ?? null}) as taken,
      ${looksReserved(accountId, sql`${token}`)} as reserved,
      exists (select from link where account_id = ${accountId} and ${looksLike(sql`${token}`)}
        and affiliate_id is distinct from ${affiliateId ?? null}) as alike`.execute(db);
  const { taken, reserved, alike } = rows[0]!;
  if (taken) return { reason: PROGRAM_REASONS.link_token_taken, code: 'taken' };
  if (reserved) return { reason: PROGRAM_REASONS.link_token_reserved, code: 'reserved' };
  return alike ? { reason: PROGRAM_REASONS.link_token_alike, code: 'alike' } : null;
}

/** SQL condition: people take a token for one that the row `link` has or had. */
function looksLike(token: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(token_look(link.token) = token_look(${token}) or token_look(link.former_token) = token_look(${token}))`;
}

/** SQL condition: people take a token for a reserved word, or for the program itself. */
function looksReserved(accountId: string, token: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`token_look(${token}) in (
    select token_look(word) from (
      select unnest(${RESERVED}::text[]) as word
      union all select slug from program_slug where account_id = ${accountId}
      union all select slug from campaign where account_id = ${accountId}
    ) known)`;
}

/**
 * Finds a token for an affiliate of whose name `base` is made: with a number if people would take it for another one. Locks the tokens.
 */
export async function findFreeToken(ctx: WriteCtx, base: string): Promise<string | undefined> {
  await lockTokens(ctx);
  const { db, accountId } = ctx;
  const { rows } = await sql<{ token: string }>`
    with alike as materialized (
      select count(*) as count from link
      where account_id = ${accountId} and (token_look(token) like token_look(${base}) || '%' or token_look(former_token) like token_look(${base}) || '%')
    )
    select candidate.token from alike
    cross join lateral generate_series(1, alike.count + 2) number
    cross join lateral (select ${base}::text || case when number > 1 then number::text else '' end as token) candidate
    where not ${looksReserved(accountId, sql`candidate.token`)}
      and not exists (select from link where account_id = ${accountId} and token_look(token) = token_look(candidate.token))
      and not exists (select from link where account_id = ${accountId} and token_look(former_token) = token_look(candidate.token))
    order by number limit 1`.execute(db);
  return rows[0]?.token;
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
