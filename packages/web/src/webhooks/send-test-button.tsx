import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** Sends a test event and opens its delivery. */
export function SendTestButton({ endpoint }: { endpoint: Endpoint }) {
  const navigate = useNavigate();
  const send = useMutation(
    trpc.webhookEndpoints.sendTest.mutationOptions({
      onSuccess: ({ id }) => navigate(`/settings/webhooks/deliveries/${id}`),
      onError: (error) => notifications.show({ color: 'red', message: serviceErrorOf(error).message }),
    }),
  );
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={send.isPending}
      aria-label={`Send test: ${endpoint.name}`}
      onClick={() => send.mutate({ id: endpoint.id })}
    >
      Send test
    </Button>
  );
}
