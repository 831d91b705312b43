import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../texts/outbox.ts';
import { useUnsentMails } from './unsent-mails.ts';

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
