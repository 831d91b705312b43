import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { earlyAnswers } from './api/early-calls.ts';
import { queryClient } from './api/query-client.ts';
import { watchEntries } from './components/entries.ts';
import { GuardedRouter } from './components/guarded-router.tsx';
import { keepFocus } from './components/lost-focus.ts';
import { Notices } from './components/notices.tsx';
import { cspNonce } from './csp-nonce.ts';
import { documentIsRead } from './document-is-read.ts';
import { Pages, loadPageAt } from './routes.tsx';
import { SessionProvider } from './session/session.tsx';
import { cssVariables, theme } from './theme.ts';

/** Longest time to wait for the early answers. After that the page is rendered without them, and its parts request their own data. */
const EARLY_MS = 4_000;

const giveUp = new Promise<[]>((resolve) => {
  setTimeout(() => resolve([]), EARLY_MS);
});

/** Renders the application once its data, its code and the document are loaded. Puts the early answers into the query cache. */
async function start(): Promise<void> {
  const [answers] = await Promise.all([
    Promise.race([earlyAnswers(), giveUp]),
    // The page itself shows the error if its code cannot be loaded.
    loadPageAt(window.location.pathname).catch(() => undefined),
    documentIsRead,
  ]);
  for (const { name, input, data } of answers)
    queryClient.setQueryData([name.split('.'), { ...(input && { input }), type: 'query' }], data);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={cspNonce}>
        <Notices />
        <QueryClientProvider client={queryClient}>
          <GuardedRouter>
            <SessionProvider>
              <Pages />
            </SessionProvider>
          </GuardedRouter>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

keepFocus();
watchEntries();
void start();
