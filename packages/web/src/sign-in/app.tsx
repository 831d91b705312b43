import './sign-in.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { preloadPortal } from './preload-portal.ts';
import { applyColorScheme } from './color-scheme.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

/**
 * The pages of people who are not signed in yet: without the component library, the router and the client of the procedures, which would
 * be four fifths of their size.
 */
const PAGES: Record<string, ComponentType> = {
  '/forgot-password': ForgotPasswordPage,
  '/reset-password': ResetPasswordPage,
};

applyColorScheme();
const { pathname, search } = window.location;
const Page = PAGES[pathname.replace(/\/$/, '')] ?? SignInPage;
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);

// After the page itself, which needs the connection first.
if (new URLSearchParams(search).get('to') === 'portal') requestAnimationFrame(() => setTimeout(() => void preloadPortal()));
