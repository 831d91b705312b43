import { useEffect } from 'react';
import { Loading } from '../components/loading.tsx';

/** Leaves this application and loads the page `to` of another application, e.g. the affiliates' portal or the sign-in pages. */
export function LeavePage({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return <Loading />;
}
