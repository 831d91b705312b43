import { createHash, randomBytes } from 'node:crypto';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { plusMilliseconds, toInstant, type Instant } from '../../platform/time/instant.ts';
import { countAttempt, forgiveAttempt } from '../auth-library/attempts.ts';

const LIFETIME_MS = 24 * 3_600_000;
/** Limit of wrong tokens from all callers together. A token has 256 bits and cannot be guessed, but mass guessing would overload the server. */
const WRONG_TOKENS = { max: 20, windowSeconds: 900 };
const SUBJECT = 'setup token';

/**
 * Creates a token with which one person may set up this installation (docs/rules/program.md#setup). Only its hash is stored. Earlier tokens stay
 * valid until they expire.
 *
 * @returns null when the installation already has an account that is not an example
 */
export async function createSetupToken({ database, clock }: Services): Promise<string | null> {
  const now = toInstant(clock.now());
  if (await hasProgram(database.kysely)) return null;
  const token = randomBytes(32).toString('base64url');
  await database.kysely.deleteFrom('setup_token').where('expires_at', '<=', now).execute();
  await database.kysely
    .insertInto('setup_token')
    .values({ token_hash: hashOf(token), expires_at: plusMilliseconds(now, LIFETIME_MS) })
    .execute();
  return token;
}

/**
 * Throws unless `token` can be used to set up this installation.
 *
 * @throws NOT_FOUND for a wrong, used or expired token; RATE_LIMITED after too many wrong tokens
 */
export async function assertSetupToken(services: Services, token: string): Promise<void> {
  await countAttempt(services, SUBJECT, WRONG_TOKENS);
  const row = await services.database.kysely
    .selectFrom('setup_token')
    .select('token_hash')
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', toInstant(services.clock.now()))
    .executeTakeFirst();
  if (!row || (await hasProgram(services.database.kysely))) throw notFound('setup link');
  await forgiveAttempt(services, SUBJECT);
}

/**
 * Deletes all tokens, in the transaction that creates the first account. Of two people who set up at once, the second waits for the first one's
 * row locks and gets NOT_FOUND.
 *
 * @throws NOT_FOUND unless `token` was valid
 */
export async function consumeSetupTokens({ clock }: Services, db: Db, token: string): Promise<void> {
  const used = await db.deleteFrom('setup_token').returning(['token_hash', 'expires_at']).execute();
  const now = toInstant(clock.now());
  const isValid = used.some(({ token_hash, expires_at }) => token_hash === hashOf(token) && expires_at > now);
  if (!isValid || (await hasProgram(db))) throw notFound('setup link');
}

/** True if the installation has an account that is not an example. */
async function hasProgram(db: Db): Promise<boolean> {
  return (await db.selectFrom('account').select('id').where('is_example', '=', false).limit(1).executeTakeFirst()) !== undefined;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A link to the setup page. */
    setup_token: {
      token_hash: string;
      expires_at: Instant;
    };
  }
}
