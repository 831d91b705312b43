/** Loads the libraries for signing in and for the sources in advance. Otherwise they would be loaded on first use. */
export async function preload(): Promise<void> {
  await import('./identity/auth-library/create-auth.ts');
  const { preloadSources } = await import('./sources/sources.ts');
  await preloadSources();
}
