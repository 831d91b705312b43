import { Code, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { trpc } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Loading } from '../components/loading.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/setup.ts';
import { SetupForm } from './setup-form.tsx';

/** Creates the first account of an installation. Requires the link that the service printed when it started. */
export function SetupPage() {
  const token = useMailedToken();
  const { mutate, data, error } = useMutation(trpc.setup.open.mutationOptions());
  useEffect(() => {
    if (token !== '') mutate({ token });
  }, [mutate, token]);
  return (
    <Card title={t.setUpYourProgram}>
      {token === '' && (
        <Text>
          <Filled
            text={t.openPrintedLink}
            values={{
              docker: <Code>{'docker compose logs rest'}</Code>,
              unit: <Code>{"journalctl -u 'affiliate-rest@*'"}</Code>,
            }}
          />
        </Text>
      )}
      {error && <Failure error={error} />}
      {error && <Text>{t.newLinkHint}</Text>}
      {token !== '' && !error && !data && <Loading />}
      {data && <SetupForm token={token} sendsMail={data.sends_mail} />}
    </Card>
  );
}
