import { useEffect } from 'react';
import { Loading } from '../components/loading.tsx';
import { signInFirst } from './return-to.ts';

/** Leads to the sign-in page, and back to `from` afterwards. */
export function SignInFirst({ from }: { from: string }) {
  useEffect(() => signInFirst(from), [from]);
  return <Loading />;
}
