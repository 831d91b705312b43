import { sql } from 'kysely';
import { z } from 'zod';
import type { TableRow } from '../../platform/db/tables.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import type { AffiliateCtx, AffiliateWriteCtx } from '../access/affiliate-context.ts';
import type { PortalAccessKind } from '../entry/portal-access.tables.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import { PORTAL_REASONS } from '../reasons.ts';

export const AcceptTerms = z.strictObject({ version: z.int().describe('Version of the terms that the affiliate accepts.') });

export interface PresentTerms extends Omit<TableRow<'program_terms'>, 'account_id' | 'published_at'> {
  accepted: boolean;
  /** True if the affiliate has accepted neither the version that applies now nor a later one. */
  is_due: boolean;
  /** The text of the version that the affiliate has accepted last, otherwise of the version before; null if there is none. */
  former: string | null;
}

/** Returns the latest terms of the program, and whether the affiliate has accepted them. Null if the program has no terms. */
export async function presentTerms({ mine, now }: Pick<AffiliateCtx, 'mine' | 'now'>): Promise<PresentTerms | null> {
  const [terms] = await mine.rows(
    ['program_terms', 'terms_acceptance'],
    sql<PresentTerms>`
      select version, body, body_hash, summary, applies_from,
        exists (select from terms_acceptance where terms_acceptance.version = program_terms.version) as accepted,
        coalesce((select max(version) from program_terms where applies_from <= ${now}::timestamptz)
          > coalesce((select max(version) from terms_acceptance), 0), false) as is_due,
        (select former.body from program_terms former
         where former.version < program_terms.version
         order by exists (select from terms_acceptance where terms_acceptance.version = former.version) desc, former.version desc limit 1) as former
      from program_terms order by version desc limit 1`,
  );
  return terms ?? null;
}

/**
 * Throws if the affiliate has not accepted the terms that apply (docs/rules/portal.md#new-terms). Commissions and payouts do not depend on
 * acceptance.
 *
 * @throws FORBIDDEN with the reason `accept_terms`
 */
export async function assertTermsAccepted(ctx: AffiliateCtx): Promise<void> {
  const terms = await presentTerms(ctx);
  if (terms?.is_due) throw new DomainError('FORBIDDEN', PORTAL_REASONS.accept_terms_first, { reason: 'accept_terms' });
}

/**
 * Records that the affiliate accepts the latest terms. Accepting again keeps the first record.
 *
 * @throws VALIDATION_ERROR for a version that is not the latest one
 */
export async function acceptTerms(
  ctx: AffiliateWriteCtx & { clientAddress?: string | undefined; openedBy: 'session' | PortalAccessKind },
  { version }: { version: number },
): Promise<{ version: number }> {
  const terms = await presentTerms(ctx);
  if (terms?.version !== version) throw invalid('version', PORTAL_REASONS.terms_changed, 'outdated');
  await ctx.tx.db
    .insertInto('terms_acceptance')
    .values({
      affiliate_id: ctx.affiliate.id,
      version,
      account_id: ctx.affiliate.account_id,
      body_hash: terms.body_hash,
      client_address: ctx.clientAddress ?? 'unknown',
      accepted_at: ctx.now,
      accepted_in: ctx.openedBy,
    })
    .onConflict((conflict) => conflict.columns(['affiliate_id', 'version']).doNothing())
    .execute();
  return { version };
}

/** The paragraphs that a version of the terms has and a former one lacks, and the other way round. */
export interface ChangedParagraphs {
  added: string[];
  removed: string[];
}

/** Maximum number of changed paragraphs that an email quotes, and of the characters of each. */
const QUOTED = 3;
const QUOTED_CHARACTERS = 300;

/** Compares two versions of the terms by their lines. A line that has only moved has not changed. */
export function changedParagraphs(former: string, current: string): ChangedParagraphs {
  const [before, after] = [linesOf(former), linesOf(current)];
  return { added: missingIn(before, after), removed: missingIn(after, before) };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function missingIn(known: readonly string[], lines: readonly string[]): string[] {
  const those = new Set(known);
  return lines.filter((line) => !those.has(line));
}

/** Quotes the changed paragraphs for an email: the first new ones, or else the first removed ones. Empty if only the order has changed. */
export function changesInWords(language: Language, { added, removed }: ChangedParagraphs): string {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.terms;
  const [text, all] = added.length > 0 ? [t.added, added] : [t.removed, removed];
  if (all.length === 0) return '';
  const quoted = all.slice(0, QUOTED).map((paragraph) => say(t.quoted, { paragraph: shortened(paragraph) }));
  const more = added.length + removed.length - quoted.length;
  return [say(text, { paragraphs: quoted.join(' ') }), ...(more > 0 ? [say(t.more, { count: more })] : [])].join(' ');
}

function shortened(paragraph: string): string {
  const characters = Array.from(paragraph);
  return characters.length <= QUOTED_CHARACTERS ? paragraph : `${characters.slice(0, QUOTED_CHARACTERS).join('')}…`;
}
