/** Loads ahead what is otherwise loaded on first use: the libraries behind signing in and the payment provider. */
export async function preload(): Promise<void> {
  await import('./identity/auth-library/create-auth.ts');
  await Promise.all([import('stripe'), import('./provider/stripe/stripe-provider.ts')]);
}
