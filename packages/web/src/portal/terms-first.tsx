import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../api/client.ts';
import { Page } from '../components/page.tsx';
import { PortalData } from './portal-data.tsx';
import { usePortalPerson } from './portal-session.tsx';
import { TermsToAccept } from './terms.tsx';

/** Shows a page only to affiliates who have accepted the terms that apply. Shows the latest terms to everyone else. */
export function TermsFirst({ title, children }: { title: string; children: ReactNode }) {
  const home = useQuery(trpc.portal.home.queryOptions());
  const { isView } = usePortalPerson();
  return (
    <PortalData query={home}>
      {({ terms }) =>
        terms === null || !terms.is_due ? (
          children
        ) : (
          <Page title={title}>
            <TermsToAccept terms={terms} readOnly={isView} />
          </Page>
        )
      }
    </PortalData>
  );
}
