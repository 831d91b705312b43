import { AuthRefusal } from './refusal.ts';

/** Signing in and out, and passwords; the cookie that comes of it is out of reach for scripts. Throws AuthRefusal. */
async function post(path: string, body: Record<string, string>): Promise<void> {
  const response = await fetch(`/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new AuthRefusal((await response.json()) as AuthRefusal['envelope']);
}

export const auth = {
  signIn: (credentials: { email: string; password: string }) => post('/sign-in/email', credentials),
  signOut: () => post('/sign-out', {}),
  requestPasswordReset: ({ email }: { email: string }) => post('/request-password-reset', { email }),
  resetPassword: (reset: { token: string; newPassword: string }) => post('/reset-password', reset),
};
