import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/portal-pages.ts';

/**
 * Asks the owner of an email address to confirm a change of the address, or to refuse it. Opening the page changes nothing, because email
 * programs also open links.
 */
export function EmailPage() {
  const token = useMailedToken();
  const reply = useMutation(trpc.portal.answerEmailChange.mutationOptions());
  if (reply.isSuccess) {
    const { state, account_name: account } = reply.data;
    const outcome = { waiting: t.emailWaiting, changed: t.emailChanged, refused: t.emailRefused }[state];
    return (
      <Card title={t.changeEmail}>
        <Stack>
          <Text role="status">{outcome({ account })}</Text>
          <Anchor href="/portal">{t.openPortal}</Anchor>
        </Stack>
      </Card>
    );
  }
  const answer = (choice: 'agree' | 'refuse') => () => reply.mutate({ token, answer: choice });
  return (
    <Card title={t.changeEmail}>
      <Stack>
        <Text>{t.emailQuestion}</Text>
        {reply.isError && <Failure error={reply.error} />}
        <Group>
          <Button loading={reply.isPending} onClick={answer('agree')}>
            {t.agree}
          </Button>
          <Button variant="default" loading={reply.isPending} onClick={answer('refuse')}>
            {t.refuse}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
