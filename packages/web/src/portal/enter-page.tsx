import { Anchor, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { isPortalHost } from '../api/portal-host.ts';
import { keepPortalToken } from '../api/portal-token.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Loading } from '../components/loading.tsx';
import { useMailedToken } from '../session/mailed-token.ts';
import { t } from '../texts/portal-pages.ts';

/** Opens the portal with a link that the merchant's application has created. */
export function EnterPage() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const { mutate, error } = useMutation(
    trpc.portal.enter.mutationOptions({
      onSuccess: (entry) => {
        keepPortalToken(entry.token);
        return navigate('/portal', { replace: true });
      },
    }),
  );
  useEffect(() => mutate({ token }), [mutate, token]);
  if (!error) return <Loading />;
  return (
    <Card title={t.enterTitle}>
      <Failure error={error} />
      <Text size="sm">
        <Filled
          text={t.signInByEmail}
          values={{ link: <Anchor href={isPortalHost() ? '/portal' : '/sign-in?to=portal'}>{t.signInByEmailLink}</Anchor> }}
        />
      </Text>
    </Card>
  );
}
