import { Loading } from '../components/loading.tsx';
import { useMutation } from '@tanstack/react-query';
import { Code, Text } from '@mantine/core';
import { useEffect } from 'react';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Card } from '../components/card.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { SetupForm } from './setup-form.tsx';

/** Creates the first account of an installation, for the holder of the link that its start printed. */
export function SetupPage() {
  const token = useMailedToken();
  const { mutate, data, error } = useMutation(trpc.setup.open.mutationOptions());
  useEffect(() => {
    if (token !== '') mutate({ token });
  }, [mutate, token]);
  return (
    <Card title="Set up your program">
      {token === '' && (
        <Text>
          Open the link that the service printed when it was started: in its terminal, or in the log of its container or unit (
          <Code>docker compose logs rest</Code>, <Code>journalctl -u 'affiliate-rest@*'</Code>). It works once, for a day.
        </Text>
      )}
      {error && <Failure error={error} />}
      {error && <Text>Start the service again for a new link.</Text>}
      {token !== '' && !error && !data && <Loading />}
      {data && <SetupForm token={token} sendsMail={data.sends_mail} />}
    </Card>
  );
}
