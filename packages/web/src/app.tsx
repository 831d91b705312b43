import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { earlyAnswers } from './api/early-calls.ts';
import { queryClient } from './api/query-client.ts';
import { Notices } from './components/notices.tsx';
import { cspNonce } from './csp-nonce.ts';
import { Pages, loadPageAt } from './routes.tsx';
import { SessionProvider } from './session/session.tsx';
import { cssVariables, theme } from './theme.ts';

/** The entry does not wait for the document, because it has the service to ask. */
const documentIsRead =
  document.readyState === 'loading'
    ? new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
    : null;

/** Longest time for which the outline of the document stays for want of early answers. After it the page asks again, part by part. */
const EARLY_MS = 4_000;

const giveUp = new Promise<[]>((resolve) => {
  setTimeout(() => resolve([]), EARLY_MS);
});

/** Draws the page once, with the data that the entry has asked for put where its parts look for it. */
async function start(): Promise<void> {
  const [answers] = await Promise.all([
    Promise.race([earlyAnswers(), giveUp]),
    // The page shows the error.
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
          <BrowserRouter>
            <SessionProvider>
              <Pages />
            </SessionProvider>
          </BrowserRouter>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

void start();
