import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queryClient } from '../api/query-client.ts';
import { cspNonce } from '../csp-nonce.ts';
import { cssVariables, theme } from '../theme.ts';
import { PortalPages } from './routes.tsx';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={cspNonce}>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <PortalPages />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
