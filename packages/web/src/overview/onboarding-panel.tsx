import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { useMay, useMember } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/onboarding.ts';
import classes from './overview.module.css';

interface Step {
  label: string;
  hint: string;
  path: string;
  isDone: boolean;
}

/** Shows admins the first steps of a program until they hide the panel. A step counts as done once its result is recorded. */
export function OnboardingPanel() {
  const { account } = useMember();
  const may = useMay();
  const name = `onboarded-${account.id}`;
  const [isOver, setOver] = useState(() => localStorage.getItem(name) !== null);
  if (isOver || !may('campaigns')) return null;
  const end = () => {
    localStorage.setItem(name, 'true');
    setOver(true);
  };
  return <Steps onHide={end} />;
}

function Steps({ onHide }: { onHide: () => void }) {
  const query = useQuery(trpc.overview.firstSteps.queryOptions({}));
  // Shows nothing while the result is unknown, because a step could be marked wrongly.
  if (!query.data) return null;
  const { campaign, affiliate, test, tracking, payment_provider, sale, webhook } = query.data;
  const steps: Step[] = [
    { label: t.campaign, hint: t.campaignHint, path: '/campaigns', isDone: campaign },
    { label: t.affiliate, hint: t.affiliateHint, path: '/affiliates', isDone: affiliate },
    { label: t.test, hint: t.testHint, path: '/settings/tracking', isDone: test },
    { label: t.tracking, hint: t.trackingHint, path: '/settings/tracking', isDone: tracking },
    // This step also counts as done if there is a sale, because merchants without Stripe report their sales over the API.
    { label: t.stripe, hint: t.stripeHint, path: '/settings/payment-provider', isDone: payment_provider || sale },
    { label: t.sale, hint: t.saleHint, path: '/commissions', isDone: sale },
    { label: t.webhook, hint: t.webhookHint, path: '/settings/webhooks', isDone: webhook },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const isNew = !tracking && !sale;
  const [next] = steps.filter(({ isDone }) => !isDone);
  return (
    <Paper component="section" withBorder px="md" py="sm" radius="md" aria-labelledby="onboarding">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={2} size="h4" id="onboarding">
            {t.title}
          </Title>
          <div className={classes['steps']} aria-hidden>
            {steps.map(({ label }, index) => (
              <span key={label} data-done={index < done || undefined} />
            ))}
          </div>
          <Text size="sm" c="dimmed">
            {t.progress({ done: done.toLocaleString(LOCALE), all: steps.length.toLocaleString(LOCALE) })}
          </Text>
        </Group>
        <Group gap="sm">
          {!isNew && (
            <Button component={Link} to={next!.path} size="compact-sm">
              {next!.label}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={onHide}>
            {t.hide}
          </Button>
        </Group>
      </Group>
      {/* Open as long as there is nothing else to see on the page. */}
      <details className={classes['all']} open={isNew}>
        <summary>{t.allSteps}</summary>
        <Stack component="ol" gap="xs" mx={0} my="xs" pl="lg">
          {steps.map(({ label, hint, path, isDone }) => (
            <li key={label}>
              {isDone ? (
                <Text>{t.stepDone({ step: label })}</Text>
              ) : (
                <>
                  <Anchor component={Link} to={path}>
                    {label}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {hint}
                  </Text>
                </>
              )}
            </li>
          ))}
        </Stack>
      </details>
    </Paper>
  );
}
