import { sql } from 'kysely';
import type { AffiliateCtx } from '../access/affiliate-context.ts';

interface PresentTerms {
  version: number;
  body: string;
  body_hash: string;
  accepted: boolean;
}

/** Returns the current terms of the program, and whether the affiliate has accepted them. Null if the program has no terms. */
export async function presentTerms({ mine }: AffiliateCtx): Promise<PresentTerms | null> {
  const [terms] = await mine.rows(
    ['program_terms', 'terms_acceptance'],
    sql<PresentTerms>`
      select version, body, body_hash,
        exists (select from terms_acceptance where terms_acceptance.version = program_terms.version) as accepted
      from program_terms order by version desc limit 1`,
  );
  return terms ?? null;
}
