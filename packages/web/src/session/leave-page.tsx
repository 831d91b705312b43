import { useEffect } from 'react';
import { Loading } from '../components/loading.tsx';

/** Loads a page of another application: of the affiliates' portal or of the merchants' pages. */
export function LeavePage({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return <Loading />;
}
