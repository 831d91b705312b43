import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { trpc } from './api/client.ts';
import { queryClient } from './api/query-client.ts';
import { Notices } from './components/notices.tsx';
import { cspNonce } from './csp-nonce.ts';
import { Pages } from './routes.tsx';
import { sessionQuery } from './session/session-query.ts';
import { SessionProvider, withAccount } from './session/session.tsx';
import { cssVariables, theme } from './theme.ts';

// Most visits start here: its code and its figures are fetched before the page is drawn, as far as that is possible. The page shows errors.
if (window.location.pathname === '/') {
  void import('./overview/overview-page.tsx');
  void queryClient
    .fetchQuery(sessionQuery)
    .then((session) => withAccount(session).account && queryClient.prefetchQuery(trpc.overview.get.queryOptions({})))
    .catch(() => undefined);
}

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
