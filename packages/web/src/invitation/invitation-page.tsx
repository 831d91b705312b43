import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { Card } from '../components/card.tsx';
import { AcceptForm } from './accept-form.tsx';

/** Shows the invitation of an e-mailed link to its recipient. */
export function InvitationPage() {
  const token = useMailedToken();
  const { mutate, data, error } = useMutation(trpc.invitations.preview.mutationOptions());
  useEffect(() => mutate({ token }), [mutate, token]);
  return (
    <Card title="Invitation">
      {error && <Failure error={error} />}
      {!error && !data && <Loading />}
      {data && data.status !== 'pending' && (
        <Text>This invitation {data.status === 'expired' ? 'has expired' : `was ${data.status}`}. Ask for a new one.</Text>
      )}
      {data && data.status === 'pending' && (
        <Stack>
          <Text>
            {data.kind === 'member'
              ? `${data.account_name} invites ${data.email} to join its team with the role ${data.role}.`
              : `${data.account_name} invites ${data.email} to become an affiliate in the campaign “${data.campaign_name}”.`}
          </Text>
          <AcceptForm token={token} invitation={data} />
        </Stack>
      )}
    </Card>
  );
}
