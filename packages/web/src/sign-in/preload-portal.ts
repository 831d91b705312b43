/** Loads the portal's files while the user signs in, so that the portal opens at once. If this fails, the portal loads them itself. */
export async function preloadPortal(): Promise<void> {
  const response = await fetch('/portal', { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const scripts = [...page.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')!);
  const preloaded = [...page.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href')!);
  const styles = [...page.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')!);
  const load = (attributes: Record<string, string>) => {
    const link = document.createElement('link');
    for (const [name, value] of Object.entries({ crossorigin: '', ...attributes })) link.setAttribute(name, value);
    document.head.append(link);
  };
  for (const href of [...scripts, ...preloaded]) load({ rel: 'modulepreload', href });
  for (const href of styles) load({ rel: 'preload', as: 'style', href });
}
