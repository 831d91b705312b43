import { useEffect } from 'react';
import { Loading } from '../components/loading.tsx';
import { signInFirst } from './return-to.ts';

/** Opens the sign-in page, which returns to `from` afterwards. */
export function SignInFirst({ from }: { from: string }) {
  useEffect(() => signInFirst(from), [from]);
  return <Loading />;
}
