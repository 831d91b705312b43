import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/portal-pages.ts';

/** Unsubscribes from digests. Opened by a link in each digest. Opening the page changes nothing, because mail programs also open links. */
export function UnsubscribePage() {
  const [params] = useSearchParams();
  const stop = useMutation(trpc.portal.unsubscribe.mutationOptions());
  if (stop.isSuccess)
    return (
      <Card title={t.unsubscribe}>
        <Text role="status">{t.noMoreDigests({ account: stop.data.account_name })}</Text>
      </Card>
    );
  return (
    <Card title={t.stopDigests}>
      <Stack>
        <Text>{t.stopDigestsExplained}</Text>
        {stop.isError && <Failure error={stop.error} />}
        <Button loading={stop.isPending} onClick={() => stop.mutate({ token: params.get('token') ?? '' })}>
          {t.unsubscribe}
        </Button>
      </Stack>
    </Card>
  );
}
