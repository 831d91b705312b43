import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { notifyFailure } from '../components/notices.tsx';
import { t } from '../texts/webhooks.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** Sends a test event and opens its delivery. */
export function SendTestButton({ endpoint, size = 'compact-sm' }: { endpoint: Endpoint } & Pick<ButtonProps, 'size'>) {
  const navigate = useNavigate();
  const send = useMutation(
    trpc.webhookEndpoints.sendTest.mutationOptions({
      onSuccess: ({ id }) => navigate(`/settings/webhooks/deliveries/${id}`),
      onError: notifyFailure,
    }),
  );
  return (
    <Button
      size={size}
      variant="default"
      loading={send.isPending}
      aria-label={t.sendTestOf({ name: endpoint.name })}
      onClick={() => send.mutate({ id: endpoint.id })}
    >
      {t.sendTest}
    </Button>
  );
}
