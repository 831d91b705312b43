import { useEffect } from 'react';
import { Loading } from '../components/loading.tsx';

/** Leaves this application and loads the page `to`, which is part of the affiliates' portal or of the merchants' application. */
export function LeavePage({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return <Loading />;
}
