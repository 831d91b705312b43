import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { t } from '../texts/portal-pages.ts';

/**
 * Ends the emails of a program, or one kind of email to members, and starts them again. Opened by a link in each of these emails. Opening the page
 * changes nothing, because mail programs also open links.
 */
export function UnsubscribePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const current = useQuery(trpc.portal.getEmailChoice.queryOptions({ token }));
  const choose = useMutation(trpc.portal.chooseEmails.mutationOptions());
  const choice = choose.data ?? current.data;
  if (current.isError)
    return (
      <Card title={t.unsubscribe}>
        <Failure error={current.error} />
      </Card>
    );
  if (!choice) return <Loading />;
  const { account_name: account, gets_emails, is_member } = choice;
  const explained = is_member ? t.endMemberEmailsExplained : t.endEmailsExplained;
  return (
    <Card title={t.emailsOf({ account })}>
      <Stack>
        <Text role="status">{gets_emails ? explained : t.noMoreEmails({ account })}</Text>
        {choose.isError && <Failure error={choose.error} />}
        <Button
          variant={gets_emails ? 'filled' : 'default'}
          loading={choose.isPending}
          onClick={() => choose.mutate({ token, gets_emails: !gets_emails })}
        >
          {gets_emails ? t.endEmails : t.getEmailsAgain}
        </Button>
      </Stack>
    </Card>
  );
}
