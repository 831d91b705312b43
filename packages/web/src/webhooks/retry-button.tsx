import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { notifyFailure } from '../components/notices.tsx';
import { t } from '../texts/webhooks.ts';
import type { Delivery } from './delivery-state.tsx';

/** A button that makes an additional attempt now. The schedule of the other attempts does not change. */
export function RetryButton({ delivery, size = 'compact-sm' }: { delivery: Delivery; size?: 'compact-sm' | 'sm' }) {
  const retry = useMutation(
    trpc.webhookDeliveries.retry.mutationOptions({
      onError: notifyFailure,
    }),
  );
  return (
    <Button
      size={size}
      variant="default"
      loading={retry.isPending}
      disabled={delivery.retry_requested_at !== null}
      aria-label={t.retryOf({ eventType: delivery.event_type })}
      onClick={() => retry.mutate({ id: delivery.id })}
    >
      {t.retry}
    </Button>
  );
}
