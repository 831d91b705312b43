import { type ReactNode, useState } from 'react';
import {
  NavigationType,
  type Path,
  type To,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  unstable_HistoryRouter as HistoryRouter,
  parsePath,
} from 'react-router';
import { partOnDemand } from '../on-demand.tsx';
import { discardEntries, hasUnsavedEntries } from './entries.ts';

const LeaveDialog = partOnDemand(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

/** A router for the browser's history that asks before a page with unsaved entries is left: by a link, by a key, or by Back. */
export function GuardedRouter({ children }: { children: ReactNode }) {
  const [leaving, ask] = useState<{ leave: () => void } | null>(null);
  const [history] = useState(() => guardedHistory((leave) => ask({ leave })));
  const stay = () => ask(null);
  return (
    <HistoryRouter history={history}>
      {children}
      {leaving && (
        <LeaveDialog
          onStay={stay}
          onLeave={() => {
            discardEntries();
            stay();
            leaving.leave();
          }}
        />
      )}
    </HistoryRouter>
  );
}

type History = ReturnType<typeof createBrowserHistory>;

/** @param ask called instead of leaving a page with unsaved entries, with a function that leaves it */
function guardedHistory(ask: (leave: () => void) => void): History {
  const history = createBrowserHistory({ v5Compat: true });
  let place = placeOf(history.location);
  const leaves = (to: To) => hasUnsavedEntries() && placeOf(to) !== place;
  const guarded = (to: To, move: () => void) => (leaves(to) ? ask(move) : move());
  return Object.assign(Object.create(history) as History, {
    push: (to: To, state?: unknown) => guarded(to, () => history.push(to, state)),
    replace: (to: To, state?: unknown) => guarded(to, () => history.replace(to, state)),
    listen: (listener: Parameters<History['listen']>[0]) =>
      history.listen((update) => {
        const { action, location, delta } = update;
        if (action === NavigationType.Pop && delta && leaves(location)) {
          // The browser has moved already. It returns to the entry of the page that is still shown.
          history.go(-delta);
          ask(() => history.go(delta));
          return;
        }
        place = placeOf(location);
        listener(update);
      }),
  });
}

/** The part of an address whose change removes forms: the page, and the record in the panel beside a list. */
function placeOf(to: To): string {
  const { pathname, search }: Partial<Path> = typeof to === 'string' ? parsePath(to) : to;
  return `${pathname} ${new URLSearchParams(search).get('look')}`;
}
