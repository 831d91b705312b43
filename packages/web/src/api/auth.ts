import { AuthError, type Envelope } from './auth-error.ts';
import type { Outputs } from './client.ts';

/** Calls an `/auth` endpoint: sign-in, sign-out, passwords and consent. Scripts cannot read the session cookie. Throws AuthError. */
async function post<Answer = unknown>(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new AuthError(answer as Envelope);
  return answer as Answer;
}

/** An AI assistant that requests access. */
export interface RequestingAssistant {
  /** The name it registered with; not verified. */
  client_name: string;
  /** Host of the redirect URI. */
  redirect_host: string;
  redirects_to_own_machine: boolean;
}

export type Decision =
  | { accept: false }
  | {
      accept: true;
      account_id: string;
      allow_promo_code_management: boolean;
    };

/** The answer to the first step of signing in. */
interface SignedIn {
  /** Present when a code is needed: there is no session yet. */
  twoFactorRedirect?: true;
}

/** A second factor that works once its first code was entered. */
export interface NewSecondFactor {
  /** `otpauth:` address for the authenticator app. */
  totpURI: string;
  backupCodes: string[];
}

export const auth = {
  signIn: (credentials: { email: string; password: string }) => post<SignedIn>('/sign-in/email', credentials),
  /** The answer has what the portal shows first, for the account that is named, unless that could not be read. */
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

/** Tells whether this browser has a session. False when the service cannot be reached. */
export async function isSignedIn(): Promise<boolean> {
  const response = await fetch('/trpc/session.get').catch(() => null);
  return response?.ok ?? false;
}

/** The first page of a person who has signed in: the portal for an affiliate who is in no team. */
export async function firstPage(): Promise<'/' | '/portal'> {
  const response = await fetch('/trpc/session.get').catch(() => null);
  if (!response?.ok) return '/';
  const { result } = (await response.json()) as { result: { data: { accounts: unknown[]; affiliations: unknown[] } } };
  return result.data.accounts.length === 0 && result.data.affiliations.length > 0 ? '/portal' : '/';
}

/** Tells whether the installation has no account yet. Asked without the client of the procedures, which is larger than the sign-in pages. */
export async function isSetupNeeded(): Promise<boolean> {
  const response = await fetch('/trpc/setup.isNeeded').catch(() => null);
  if (!response?.ok) return false;
  const { result } = (await response.json()) as { result: { data: { is_needed: boolean } } };
  return result.data.is_needed;
}
