/** Loads the libraries for signing in and for the payment provider in advance. Otherwise they would be loaded on first use. */
export async function preload(): Promise<void> {
  await import('./identity/auth-library/create-auth.ts');
  await Promise.all([import('stripe'), import('./sources/stripe/stripe-provider.ts')]);
}
