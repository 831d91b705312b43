/** Loads what is otherwise loaded when it is first needed, so that nobody has to wait for it: the libraries behind signing in and the payment provider. */
export async function preload(): Promise<void> {
  await import('./sessions/create-auth.ts');
  await Promise.all([import('stripe'), import('./psp/stripe/stripe-provider.ts')]);
}
