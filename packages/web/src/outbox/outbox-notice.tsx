import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/outbox.ts';

/** Tells an owner where the emails are while no mail server is configured. */
export function OutboxNotice() {
  const { data } = useUnsentMails();
  if (!data?.mails) return null;
  return (
    <Alert title={t.notSent} maw={720}>
      <Text size="sm">{t.notSentExplained}</Text>
      <Anchor component={Link} to="/settings/outbox" size="sm">
        {t.openOutbox}
      </Anchor>
    </Alert>
  );
}

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
