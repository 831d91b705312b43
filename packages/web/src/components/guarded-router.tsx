import { type ReactNode, useState } from 'react';
import { createBrowserRouter, type Location, useBlocker } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { partOnDemand } from '../on-demand.tsx';
import { discardEntries, hasUnsavedEntries } from './entries.ts';

const LeaveDialog = partOnDemand(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

/** A router for the browser's history that asks before a page with unsaved entries is left: by a link, by a key, or by Back. `children` do not change. */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [router] = useState(() => createBrowserRouter([{ path: '*', element: <Guard>{children}</Guard> }]));
  return <RouterProvider router={router} />;
}

function Guard({ children }: { children: ReactNode }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsavedEntries() && placeOf(nextLocation) !== placeOf(currentLocation),
  );
  return (
    <>
      {children}
      {blocker.state === 'blocked' && (
        <LeaveDialog
          onStay={() => blocker.reset()}
          onLeave={() => {
            discardEntries();
            blocker.proceed();
          }}
        />
      )}
    </>
  );
}

/** The part of an address whose change removes forms: the page, and the record in the panel beside a list. */
function placeOf({ pathname, search }: Location): string {
  return `${pathname} ${new URLSearchParams(search).get('look')}`;
}
