import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { trpc } from '../api/client.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/invitation.ts';
import { AcceptForm } from './accept-form.tsx';

/** Shows the invitation whose link was emailed to the recipient. */
export function InvitationPage() {
  const token = useMailedToken();
  const { mutate, data, error } = useMutation(trpc.invitations.preview.mutationOptions());
  useEffect(() => mutate({ token }), [mutate, token]);
  return (
    <Card title={t.invitation}>
      {error && <Failure error={error} />}
      {!error && !data && <Loading />}
      {data && data.status !== 'pending' && (
        <Text>{data.status === 'expired' ? t.expired : data.status === 'accepted' ? t.accepted : t.revoked}</Text>
      )}
      {data && data.status === 'pending' && (
        <Stack>
          <Text>
            {data.kind === 'member'
              ? t.memberInvitation({ accountName: data.account_name, email: data.email, role: data.role })
              : t.affiliateInvitation({
                  accountName: data.account_name,
                  email: data.email,
                  campaignName: data.campaign_name,
                })}
          </Text>
          <AcceptForm token={token} invitation={data} />
        </Stack>
      )}
    </Card>
  );
}
