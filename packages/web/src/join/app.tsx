import '../sign-in/sign-in.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepFocus } from '../components/lost-focus.ts';
import { applyColorScheme } from '../sign-in/color-scheme.ts';
import { JoinPage } from './join-page.tsx';

applyColorScheme();
keepFocus();
document.documentElement.dataset['page'] = 'plain';
const [, , account = '', campaign = ''] = window.location.pathname.split('/').map(decodeURIComponent);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <JoinPage account={account} campaign={campaign} />
  </StrictMode>,
);
