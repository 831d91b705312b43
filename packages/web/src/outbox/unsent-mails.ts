import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { useMember } from '../session/session.tsx';

/** Asks for the unsent emails of the account that is shown, if the person owns it. */
export function useUnsentMails() {
  const { account, role } = useMember();
  return useQuery({
    ...trpc.account.unsentMails.queryOptions({ account_id: account.id }),
    enabled: role === 'owner',
    // Another page may have asked before the email was written.
    refetchOnMount: 'always',
  });
}
