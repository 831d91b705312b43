import { IN_LANGUAGE } from '../texts/language.ts';
import { bodyOf } from './auth-error.ts';
import type { Outputs } from './client.ts';

/**
 * Posts to an `/auth` endpoint: sign-in, sign-out, passwords and consent. The session cookie is not readable by scripts. Throws AuthError.
 */
async function post<Answer = unknown>(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...IN_LANGUAGE, ...headers },
    body: JSON.stringify(body),
  });
  return bodyOf<Answer>(response);
}

/** An AI assistant that requests access. */
export interface RequestingAssistant {
  /** The name under which the assistant registered. It is not verified. */
  client_name: string;
  /** Host of the document in which the assistant describes itself; null if it has none. */
  verified_host: string | null;
  /** Host of the redirect URI. */
  redirect_host: string;
  redirects_to_own_machine: boolean;
  requested_permissions: string[];
  /** The access that the user has granted to the assistant before, by account. */
  granted: { account_id: string; permissions: string[]; daily_pay_limits: PayLimit[] | null }[];
}

interface PayLimit {
  currency: string;
  amount_cents: number;
}

export type Decision =
  | { accept: false }
  | {
      accept: true;
      account_id: string;
      permissions: Record<string, boolean>;
      daily_pay_limits: PayLimit[] | null;
    };

/** The answer to the first step of signing in. */
interface SignedIn {
  /** Set if a code is required. There is no session until the code is entered. */
  twoFactorRedirect?: true;
}

/** A new second factor, which is active once its first code has been entered. */
export interface NewSecondFactor {
  /** `otpauth:` address for the authenticator app. */
  totpURI: string;
  backupCodes: string[];
}

export const auth = {
  signIn: (credentials: { email: string; password: string }) => post<SignedIn>('/sign-in/email', credentials),
  /** The response includes the first data of the portal for the account with this id, unless loading the data failed. */
  signInByLink: ({ token, accountId = null }: { token: string; accountId?: string | null }) =>
    post<SignedIn & { start?: Outputs['portal']['start'] }>(
      '/sign-in/link',
      { token },
      accountId === null ? {} : { 'X-Account-Id': accountId },
    ),
  verifyCode: (second: { code: string; trustDevice: boolean }) => post('/two-factor/verify-totp', second),
  verifyRecoveryCode: (second: { code: string; trustDevice: boolean }) => post('/two-factor/verify-backup-code', second),
  setUpSecondFactor: (proof: { password: string }) => post<NewSecondFactor>('/two-factor/enable', proof),
  confirmSecondFactor: (first: { code: string }) => post('/two-factor/confirm', first),
  removeSecondFactor: (proof: { password: string }) => post('/two-factor/disable', proof),
  newRecoveryCodes: (proof: { password: string }) => post<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', proof),
  requestSignInLink: ({ email }: { email: string }) => post('/request-sign-in-link', { email }),
  signOut: () => post('/sign-out', {}),
  changePassword: (passwords: { currentPassword: string; newPassword: string }) => post('/change-password', passwords),
  signOutElsewhere: () => post('/revoke-other-sessions', {}),
  requestPasswordReset: ({ email }: { email: string }) => post('/request-password-reset', { email }),
  consentRequest: (oauth_query: string) => post<RequestingAssistant>('/oauth2/consent-request', { oauth_query }),
  decideConsent: (decision: Decision & { oauth_query: string }) => post<{ redirect_to: string }>('/oauth2/consent', decision),
  resetPassword: (reset: { token: string; newPassword: string }) => post('/reset-password', reset),
};

/** Returns whether this browser has a session. Returns false if the service cannot be reached. */
export async function isSignedIn(): Promise<boolean> {
  const response = await fetch('/trpc/session.get').catch(() => null);
  // An unread body keeps its connection busy.
  await response?.text();
  return response?.ok ?? false;
}

/** Returns the first page to show after sign-in: the portal for an affiliate who is not a member of an account, otherwise the overview. */
export async function firstPage(): Promise<'/' | '/portal'> {
  const response = await fetch('/trpc/session.get').catch(() => null);
  if (!response?.ok) return '/';
  const { result } = (await response.json()) as { result: { data: { accounts: unknown[]; affiliations: unknown[] } } };
  return result.data.accounts.length === 0 && result.data.affiliations.length > 0 ? '/portal' : '/';
}

/** Returns whether the installation has no account yet. Does without the tRPC client, which is larger than the sign-in pages. */
export async function isSetupNeeded(): Promise<boolean> {
  const response = await fetch('/trpc/setup.isNeeded').catch(() => null);
  if (!response?.ok) return false;
  const { result } = (await response.json()) as { result: { data: { is_needed: boolean } } };
  return result.data.is_needed;
}
