import '../styles.ts';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { frameTheme } from '../api/frame-options.ts';
import { queryClient } from '../api/query-client.ts';
import { watchEntries } from '../components/entries.ts';
import { GuardedRouter } from '../components/guarded-router.tsx';
import { keepFocus } from '../components/lost-focus.ts';
import { cspNonce } from '../csp-nonce.ts';
import { documentIsRead } from '../document-is-read.ts';
import { cssVariables } from '../theme.ts';
import { portalTheme } from './brand.tsx';
import { PortalPages } from './routes.tsx';

/** Returns the color scheme that the embedding page requests, if the portal is embedded. */
function embeddedScheme(): { forceColorScheme?: 'light' | 'dark' } {
  const { pathname, search } = window.location;
  const requested = pathname === '/embed' ? new URLSearchParams(search).get('theme') : null;
  return requested === 'light' || requested === 'dark' ? { forceColorScheme: requested } : {};
}

keepFocus();
watchEntries();
await documentIsRead;
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={mergeThemeOverrides(portalTheme, frameTheme())}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      {...embeddedScheme()}
      getStyleNonce={cspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <GuardedRouter>
          <PortalPages />
        </GuardedRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
