import { useEffect } from 'react';
import { Loading } from '../components/loading.tsx';

/** Loads a page that is none of this application: the portal of affiliates, or the pages of merchants. */
export function LeavePage({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return <Loading />;
}
