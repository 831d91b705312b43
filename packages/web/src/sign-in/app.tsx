import './sign-in.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepFocus } from '../components/lost-focus.ts';
import { applyColorScheme } from './color-scheme.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { preloadPortal } from './preload-portal.ts';
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
