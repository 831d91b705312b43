import { Anchor, Button, Group, Stack, Text, Timeline } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { Failure } from '../components/failure.tsx';
import { labelOf } from '../components/labels.ts';
import { Panel } from '../components/panel.tsx';
import { t } from '../texts/test-purchase.ts';

type Started = Outputs['pspConnection']['startTestPurchase'];
type Purchase = Outputs['pspConnection']['testPurchase'];

const EVERY_MS = 2_000;

/** Makes a purchase in Stripe's test mode, and shows each step when the service has recorded it. */
export function TestPurchase() {
  const start = useMutation(trpc.pspConnection.startTestPurchase.mutationOptions());
  return (
    <Panel title={t.testPurchase}>
      <Stack>
        <Text>{t.explained}</Text>
        {start.isError && <Failure error={start.error} />}
        <Group>
          <Button variant={start.data ? 'default' : 'filled'} loading={start.isPending} onClick={() => start.mutate({})}>
            {start.data ? t.startAgain : t.start}
          </Button>
        </Group>
        {start.data && <Followed key={start.data.id} started={start.data} />}
      </Stack>
    </Panel>
  );
}

function Followed({ started: { id, checkout_url } }: { started: Started }) {
  const purchase = useQuery(
    trpc.pspConnection.testPurchase.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.commission ? false : EVERY_MS) },
    ),
  );
  return (
    <Stack>
      {purchase.isError && <Failure error={purchase.error} />}
      <div aria-live="polite">{purchase.data && <Steps purchase={purchase.data} url={checkout_url} />}</div>
    </Stack>
  );
}

function Steps({ purchase: { checkout, sale, commission }, url }: { purchase: Purchase; url: string }) {
  const last = [true, checkout, sale, commission].findLastIndex(Boolean);
  return (
    <Timeline active={last} bulletSize={16}>
      <Timeline.Item title={t.opened}>
        {!checkout && !sale && (
          <Text size="sm">
            <Anchor href={url} target="_blank" rel="noreferrer">
              {t.openCheckout}
            </Anchor>{' '}
            {t.payWith}
          </Text>
        )}
      </Timeline.Item>
      <Timeline.Item title={checkout ? t.completed : t.waitsForCheckout} />
      <Timeline.Item title={sale ? t.paid : t.waitsForPayment}>
        {sale && (
          <Text size="sm">
            <Anchor component={Link} to={`/customers/sales/${sale.id}`}>
              {formatMoney(sale.amount_cents, sale.currency)}
            </Anchor>
            {sale.no_commission_reason !== null && `, ${labelOf(sale.no_commission_reason)}`}
          </Text>
        )}
      </Timeline.Item>
      <Timeline.Item title={commission ? t.earned : t.waitsForCommission}>
        {commission && (
          <Text size="sm">
            <Anchor component={Link} to={`/commissions/${commission.id}`}>
              {formatMoney(commission.amount_cents, commission.currency)}
            </Anchor>
          </Text>
        )}
      </Timeline.Item>
    </Timeline>
  );
}
