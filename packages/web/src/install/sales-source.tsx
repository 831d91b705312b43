import { Anchor, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Panel } from '../components/panel.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/install.ts';
import { SALE_CODE } from '../texts/sale-code.ts';

const EVERY_MS = 3_000;

/** The ways in which the service learns of sales. Shows when the first sale has arrived. */
export function SalesSource() {
  const [source, setSource] = useState('server');
  const steps = useQuery(
    trpc.overview.firstSteps.queryOptions({}, { refetchInterval: ({ state }) => (state.data?.sale ? false : EVERY_MS) }),
  );
  return (
    <Panel title={t.salesSource}>
      <Stack>
        <SegmentedControl
          aria-label={t.salesSource}
          value={source}
          onChange={setSource}
          data={[
            { value: 'stripe', label: 'Stripe' },
            { value: 'server', label: t.yourServer },
            { value: 'hand', label: t.byHand },
          ]}
        />
        {source === 'stripe' && (
          <>
            <Text>{t.stripeExplained}</Text>
            <Group>
              <Button component={Link} to="/settings/payment-provider" variant="default">
                {t.connectStripe}
              </Button>
              {steps.data?.payment_provider && <Text>{t.stripeIsConnected}</Text>}
            </Group>
          </>
        )}
        {source === 'server' && <ServerCode />}
        {source === 'hand' && (
          <Text>
            {t.byHandExplained}{' '}
            <Anchor component={Link} to="/affiliates" underline="always">
              {t.showAffiliates}
            </Anchor>
          </Text>
        )}
        {steps.data && (
          <Text role="status" fw={500}>
            {steps.data.sale ? t.firstSaleArrived : t.waitingForSale}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

/** Code that reports a sale with the program's own values and, on request, with a fresh key. The key is dropped when the page is left. */
function ServerCode() {
  const { account } = useMember();
  const [language, setLanguage] = useState('curl');
  const create = useMutation(trpc.apiKeys.create.mutationOptions({ gcTime: 0 }));
  const apiKey = create.data?.api_key ?? 'apk_…';
  const code = SALE_CODE[language]!({
    origin: window.location.origin,
    accountId: account.id,
    apiKey,
    currency: account.currency,
  });
  return (
    <>
      <Text>{t.serverExplained}</Text>
      <Group>
        <SegmentedControl
          aria-label={t.codeLanguage}
          size="xs"
          value={language}
          onChange={setLanguage}
          data={Object.keys(SALE_CODE)}
        />
        <Button
          size="compact-sm"
          disabled={create.isSuccess}
          loading={create.isPending}
          onClick={() => create.mutate({ name: t.keyName, permissions: { 'v1.sales.write': true } })}
        >
          {create.isSuccess ? t.keyIsInCode : t.createKey}
        </Button>
      </Group>
      {create.isError && <Failure error={create.error} />}
      <Code block tabIndex={0} aria-label={t.saleCode}>
        {code}
      </Code>
      <Group>
        <CopyButton value={code} label={t.copySaleCode} />
      </Group>
    </>
  );
}
