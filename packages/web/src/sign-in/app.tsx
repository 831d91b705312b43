import './sign-in.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepFocus } from '../components/lost-focus.ts';
import { applyColorScheme } from './color-scheme.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

/**
 * The pages for people who are not signed in yet. They do without the component library, the router and the tRPC client, which would make
 * them five times as large.
 */
const PAGES: Record<string, ComponentType> = {
  '/forgot-password': ForgotPasswordPage,
  '/reset-password': ResetPasswordPage,
};

applyColorScheme();
keepFocus();
document.documentElement.dataset['page'] = 'plain';
const { pathname, search } = window.location;
const Page = PAGES[pathname.replace(/\/$/, '')] ?? SignInPage;
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);

// Preloads the portal only after this page is drawn, so that this page's own requests come first.
if (new URLSearchParams(search).get('to') === 'portal') requestAnimationFrame(() => setTimeout(() => void preloadPortal()));

/** Loads the portal's files while the user signs in, so that the portal opens at once. If this fails, the portal loads them itself. */
async function preloadPortal(): Promise<void> {
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
