import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Services } from '../../platform/call/context.ts';
import { recordAttempt } from './attempts.ts';
import { LOCK_SECONDS } from './lock-seconds.ts';
import { notePerson } from './noted-person.ts';
import { endPasswordResets } from './reset-links.ts';

/** Failed codes in a row, over all sign-ins, after which codes are refused for a while. */
const MAX_FAILURES = 10;
/** Longer than any code is valid: its own 30 seconds, and those before and after. */
const CODE_SECONDS = 120;
/** The cookie of a sign-in that waits for its code. */
const CHALLENGE_COOKIE = 'two_factor';

/**
 * Codes of an authenticator app and recovery codes (docs/domain-rules.md#second-factor), by the library's plugin. Beyond it, they are asked
 * for after a sign-in link too, a code works once, and switching the second factor on or off ends what was trusted before.
 */
export function secondFactor(services: Services): BetterAuthPlugin {
  const plugin = twoFactor({
    issuer: 'Affiliate',
    accountLockout: { maxFailedAttempts: MAX_FAILURES, durationSeconds: LOCK_SECONDS },
    schema: {
      user: { fields: { twoFactorEnabled: 'has_second_factor' } },
      twoFactor: {
        modelName: 'auth_second_factor',
        fields: {
          userId: 'user_id',
          backupCodes: 'recovery_codes',
          failedVerificationCount: 'failed_attempts',
          lockedUntil: 'unlocks_at',
        },
      },
    },
  });
  return {
    ...plugin,
    // Sessions that began without a code end before the second factor is on, so that a process that dies between leaves none of them.
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            update: {
              before: async (change, context) => {
                if (!('twoFactorEnabled' in change) || change.twoFactorEnabled !== true || !context) return;
                const session = await getSessionFromCtx(context);
                if (session) await endOtherSessions(services, session.session);
              },
            },
          },
        },
      },
    }),
    hooks: {
      before: [
        {
          matcher: ({ path }) => path?.startsWith('/two-factor/') === true || path === '/revoke-other-sessions',
          handler: createAuthMiddleware(async (ctx) => {
            const session = await getSessionFromCtx(ctx);
            const challenge = ctx.context.createAuthCookie(CHALLENGE_COOKIE);
            const identifier = session ? null : await ctx.getSignedCookie(challenge.name, ctx.context.secret);
            const pending = identifier ? await ctx.context.internalAdapter.findVerificationValue(identifier) : null;
            const userId = session?.user.id ?? pending?.value;
            if (userId === undefined) return;
            notePerson(userId);
            if (ctx.path === '/two-factor/verify-totp') await useUp(services, userId, (ctx.body as { code: string }).code);
          }),
        },
      ],
      after: [
        ...plugin.hooks.after.map((hook) => ({
          matcher: (context: Parameters<typeof hook.matcher>[0]) => context.path === '/sign-in/link' || hook.matcher(context),
          handler: hook.handler,
        })),
        {
          // Switched on: sessions that began meanwhile without a code end, too.
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(async (ctx) => {
            const started = ctx.context.newSession;
            const challenge = ctx.context.createAuthCookie(CHALLENGE_COOKIE);
            if (!started || (await ctx.getSignedCookie(challenge.name, ctx.context.secret))) return;
            await endOtherSessions(services, started.session);
          }),
        },
        {
          matcher: ({ path }) => path === '/two-factor/disable' || path === '/revoke-other-sessions',
          handler: createAuthMiddleware(async (ctx) => {
            const session = ctx.context.newSession ?? (await getSessionFromCtx(ctx));
            if (session) await forgetBrowsers(services, session.user.id);
          }),
        },
      ],
    },
  };
}

/** Ends all sessions of a person but one. */
async function endOtherSessions({ database }: Services, { userId, token }: { userId: string; token: string }): Promise<void> {
  await database.kysely.deleteFrom('auth_session').where('user_id', '=', userId).where('token', '!=', token).execute();
}

/** Trusted browsers are asked for a code again. Their rows hold the user's id as value, like those of password resets, which end as well. */
function forgetBrowsers({ database }: Services, userId: string): Promise<void> {
  return endPasswordResets(database.kysely, userId);
}

/** Counts each code before it is looked at, so that it works once, however many requests bring it at the same time. */
async function useUp(services: Services, userId: string, code: string): Promise<void> {
  const { attempts } = await recordAttempt(services, `code ${code} of ${userId}`, CODE_SECONDS);
  if (attempts > 1) throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
}
