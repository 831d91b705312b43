import { betterAuth, type BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { KyselyPlugin } from 'kysely';
import { z } from 'zod';
import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { jobOf, type Purpose } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { newId, type RecordKind } from '../../platform/wire/ids.ts';
import { languageOfPerson } from '../affiliations/mail-language.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { firstAccountOf } from '../members/memberships.ts';
import { hashPassword, verifyPassword } from '../members/passwords.ts';
import { endPasswordResets, RESET_SECONDS } from '../members/user.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { turnOfLink } from '../sign-in-links/link-turn.ts';
import { redeemSignInLink } from '../sign-in-links/sign-in-link.ts';
import { authorizationServer, CONSENT_PAGE, OAUTH_KINDS } from './authorization-server.ts';
import { libraryKeys } from './library-secrets.ts';
import { CLIENT_ADDRESS_HEADER, NETWORK_HEADER, recordPerson } from './request-context.ts';
import { secondFactor } from './second-factor.ts';

const SESSION_SECONDS = 7 * 24 * 3600;
const PASSWORD_RESET = { kind: 'password_reset', priority: 'urgent', accountId: null } as const satisfies Purpose;
/** Age above which a session is renewed when it is used. */
const RENEW_SECONDS = 24 * 3600;

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };
const KINDS: Record<string, RecordKind> = {
  user: 'user',
  account: 'credential',
  session: 'session',
  verification: 'verification',
  twoFactor: 'second_factor',
  ...OAUTH_KINDS,
};

/**
 * Configures the authentication library. The library stores the data that users need to sign in (passwords, sessions, resets) and the data of
 * assistants connected over OAuth (clients, consents, tokens). Memberships and permissions are stored by the service. The library uses the system's
 * clock. Origins and attempt limits are checked before the library is called, by the HTTP server and `answerAuth`.
 *
 * @param options.db connection on which the library reads and writes its tables: the pool by default, or a transaction
 * @param options.validateSchema makes the library compare its tables with the database before its first use, which takes PostgreSQL some 40 ms. Off
 *   by default, because the migrations create these tables and a test makes the same comparison.
 */
export function createAuth(
  services: Services,
  { db = services.database.kysely, validateSchema = false }: { db?: Db; validateSchema?: boolean } = {},
) {
  const { origin, protocol, hostname } = new URL(services.publicUrl);
  const secure = protocol === 'https:' || !isLoopback(hostname);
  if (secure && protocol === 'http:') {
    services.log.warn(
      { public_url: services.publicUrl },
      'signing in needs https, because browsers keep the session cookie only over https or on localhost',
    );
  }
  return betterAuth({
    appName: 'Affiliate',
    baseURL: origin,
    basePath: '/auth',
    secrets: libraryKeys(services.secrets),
    database: { db: db.withPlugin(datesForLibrary), type: 'postgres' },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { log: (level, message, ...details) => services.log[level]({ details }, message) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: verifyPassword },
      minPasswordLength: 8,
      maxPasswordLength: 128,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => {
        recordPerson(user.id);
        return endPasswordResets(services.database.kysely, user.id);
      },
      sendResetPassword: async ({ user, token }, request) => {
        const language = await languageOfPerson(services.database.kysely, user.id);
        // The token is in the fragment, which browsers do not send to servers, so it is never logged.
        const mail = composeTexts(
          { to: user.email, language },
          IDENTITY_MAILS.passwordReset,
          `${services.publicUrl}/reset-password#token=${token}`,
          { email: user.email },
        );
        const expires = plusMilliseconds(toInstant(services.clock.now()), RESET_SECONDS * 1_000);
        const db = services.database.kysely;
        const turn = await turnOfLink(db, { email: user.email, network: request?.headers.get(NETWORK_HEADER) || null });
        await enqueueMail(services, db, { ...PASSWORD_RESET, turn }, mail, expires);
        services.jobs.send(jobOf(PASSWORD_RESET));
      },
    },
    user: { modelName: 'auth_user', fields: { emailVerified: 'email_verified', ...timestamps } },
    account: {
      modelName: 'auth_credential',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    session: {
      modelName: 'auth_session',
      expiresIn: SESSION_SECONDS,
      updateAge: RENEW_SECONDS,
      fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent', ...timestamps },
      additionalFields: {
        activeAccountId: { type: 'string', required: false, input: false, fieldName: 'active_account_id' },
        lastSeenAt: { type: 'date', required: false, input: false, fieldName: 'last_seen_at' },
      },
    },
    verification: {
      modelName: 'auth_verification',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', ...timestamps },
    },
    // The second factor comes first, so that the other plugins do not see a session for which a code is still missing.
    plugins: [secondFactor(services), authorizationServer(services), signInByLink(services)],
    // Makes the library throw its internal errors, so that the service logs them together with the request.
    onAPIError: { throw: true, errorURL: CONSENT_PAGE },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, activeAccountId: await firstAccountOf(services.database.kysely, session.userId) },
          }),
        },
      },
    },
    advanced: {
      cookiePrefix: 'affiliate',
      useSecureCookies: secure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      disableCSRFCheck: true,
      database: { generateId: ({ model }) => newId(KINDS[model] ?? 'verification', services.clock.now()), validateSchema },
    },
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Turns instants of query results into dates for the library. The rest of the core reads them as strings. */
const datesForLibrary: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({
    ...result,
    rows: result.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          name.endsWith('_at') && typeof value === 'string' ? new Date(value) : value,
        ]),
      ),
    ),
  }),
};

/**
 * Adds `POST /sign-in/link` to the library. It opens a session for the token of a link that was emailed, or that the service returned
 * for an accepted invitation or a confirmed application.
 */
function signInByLink(services: Services) {
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
