import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Services } from '../../platform/call/context.ts';
import { endPasswordResets } from '../members/user.ts';
import { LOCK_SECONDS, recordAttempt } from './attempts.ts';
import { recordPerson } from './request-context.ts';

/** Number of consecutive wrong codes, across all sign-ins of a person, after which codes are refused for `LOCK_SECONDS`. */
const MAX_FAILURES = 10;
/** Number of seconds for which a used code is remembered. A code is valid for 90 s: its own 30 s, and the 30 s before and after. */
const CODE_SECONDS = 120;
/** Name of the cookie that identifies an incomplete sign-in, for which the second factor's code has not been entered yet. */
const CHALLENGE_COOKIE = 'two_factor';

/**
 * Configures the library's plugin for codes from an authenticator app and recovery codes (docs/rules/identity.md#second-factor). Adds three rules. A
 * sign-in link needs a code too. A code from the app works once. Switching the second factor on ends the person's other sessions, and switching it
 * off makes trusted browsers ask for a code again.
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
    // Ends the user's other sessions, which began without a code, before the second factor is switched on. If the process dies between these two
    // steps, none of the other sessions remains.
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
            recordPerson(userId);
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
          // The second factor is on now. Ends the other sessions again, because a session may have begun without a code while the second
          // factor was being turned on.
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
            // Makes trusted browsers ask for a code again, because their rows hold the user's id in `value`, too.
            if (session) await endPasswordResets(services.database.kysely, session.user.id);
          }),
        },
      ],
    },
  };
}

/** Ends all sessions of a person except the given one. */
async function endOtherSessions({ database }: Services, { userId, token }: { userId: string; token: string }): Promise<void> {
  await database.kysely.deleteFrom('auth_session').where('user_id', '=', userId).where('token', '!=', token).execute();
}

/** Throws if the code has been used before. The use is counted before the code is checked, so that a code works once even in concurrent requests. */
async function useUp(services: Services, userId: string, code: string): Promise<void> {
  const { attempts } = await recordAttempt(services, `code ${code} of ${userId}`, CODE_SECONDS);
  if (attempts > 1) throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
}
