import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queryClient } from './api/query-client.ts';
import { Notices } from './components/notices.tsx';
import { cspNonce } from './csp-nonce.ts';
import { Pages } from './routes.tsx';
import { SessionProvider } from './session/session.tsx';
import { cssVariables, theme } from './theme.ts';

// Most visits start here: its code is fetched while the session is loaded.
if (window.location.pathname === '/') void import('./overview/overview-page.tsx');

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={cspNonce}>
      <Notices />
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <SessionProvider>
            <Pages />
          </SessionProvider>
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
