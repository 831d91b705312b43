import { liveAccountOf, testAccountOf } from '@affiliate/core/browser';
import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { t as layout } from '../texts/layout.ts';
import { t } from '../texts/session.ts';
import { useMember, useSession } from './session.tsx';

/** Lets members of several accounts choose the account to show. Reloads the page, so that no data of the previous account remains. */
export function AccountSwitch() {
  const { account } = useMember();
  const accounts = useSession()?.accounts ?? [];
  const switchAccount = useMutation(trpc.session.switchAccount.mutationOptions({ onSuccess: () => window.location.assign('/') }));
  const live = accounts.filter(({ livemode }) => livemode);
  if (live.length < 2) return null;
  return (
    <NativeSelect
      aria-label={t.accountShown}
      size="xs"
      maw={{ base: 120, sm: 240 }}
      value={liveAccountOf(account.id)}
      disabled={switchAccount.isPending}
      onChange={(event) => switchAccount.mutate({ account_id: event.currentTarget.value })}
      data={live.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

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
      {layout.showTestMode}
    </Button>
  );
}
