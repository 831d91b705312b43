import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import type { Services } from '../../platform/call/context.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { redeemSignInLink } from '../sign-in-links/sign-in-link.ts';

/**
 * Adds `POST /sign-in/link` to the library. It opens a session for the token of a link that was emailed, or that the service returned
 * for an accepted invitation or a confirmed application.
 */
export function signInByLink(services: Services) {
  return {
    id: 'sign-in-by-link',
    endpoints: {
      signInByLink: createAuthEndpoint(
        '/sign-in/link',
        { method: 'POST', body: z.object({ token: z.string() }) },
        async (ctx) => {
          const userId = await redeemSignInLink(services, ctx.body.token);
          const user = userId === null ? null : await ctx.context.internalAdapter.findUserById(userId);
          if (!user)
            throw new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: String(IDENTITY_REASONS.sign_in_link_invalid) });
          const session = await ctx.context.internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ user: { id: user.id, email: user.email, name: user.name } });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
