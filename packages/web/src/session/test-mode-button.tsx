import { testAccountOf } from '@affiliate/core/browser';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { t } from '../texts/layout.ts';
import { useMember } from './session.tsx';

/** Shows the account's test mode. Reloads the page, so that no live data remain. */
export function TestModeButton() {
  const { account } = useMember();
  const show = useMutation(trpc.session.switchAccount.mutationOptions({ onSuccess: () => window.location.assign('/') }));
  if (!account.livemode) return null;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={show.isPending || show.isSuccess}
      onClick={() => show.mutate({ account_id: testAccountOf(account.id) })}
    >
      {t.showTestMode}
    </Button>
  );
}
