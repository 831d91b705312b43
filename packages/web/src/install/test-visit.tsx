import { Anchor, Button, Group, Stack, Text, TextInput, Timeline } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { RecordLink } from '../components/cells.tsx';
import { Failure } from '../components/failure.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Panel } from '../components/panel.tsx';
import { pathOf } from '../records/paths.ts';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/install.ts';

type Visit = Outputs['site']['testVisit'];

const EVERY_MS = 2_000;
/** Number of link codes that the field suggests. */
const MOST_LINKS = 100;

/** Guides the merchant through a test, from a click on a link to a commission. Shows each step when the service has recorded it. */
export function TestVisit() {
  const form = useForm({ initialValues: { token: '' } });
  const links = useQuery(trpc.links.list.queryOptions({ limit: MOST_LINKS }));
  const [started, setStarted] = useState<{ address: string; mark: string } | null>(null);
  const start = useMutation({
    mutationFn: async ({ token }: { token: string }) => (await client.links.list.query({ token })).data[0],
    onSuccess: (link) => {
      if (!link) return form.setErrors({ token: t.noSuchLink });
      const mark = newMark();
      const address = new URL(link.tracking_url);
      address.searchParams.set('sub5', mark);
      setStarted({ address: address.href, mark });
    },
  });
  return (
    <Panel title={t.testVisit}>
      <Stack>
        <Text>{t.testVisitExplained}</Text>
        <form data-saves-nothing onSubmit={form.onSubmit((values) => start.mutate(values))}>
          <Group align="flex-end">
            <TextInput label={t.linkCode} required autoComplete="off" list="links-to-test" {...form.getInputProps('token')} />
            <datalist id="links-to-test">
              {links.data?.data.map(({ id, token }) => (
                <option key={id} value={token} />
              ))}
            </datalist>
            <Button type="submit" variant={started ? 'default' : 'filled'} loading={start.isPending}>
              {started ? t.startAgain : t.start}
            </Button>
          </Group>
        </form>
        {start.isError && <Failure error={start.error} />}
        {started && <Walk key={started.mark} mark={started.mark} address={started.address} />}
      </Stack>
    </Panel>
  );
}

function newMark(): string {
  return `test-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function Walk({ mark, address }: { mark: string; address: string }) {
  const [referralId, setReferralId] = useState<string | null>(null);
  const visit = useQuery(
    trpc.site.testVisit.queryOptions(
      { mark, ...(referralId === null ? {} : { referral_id: referralId }) },
      { refetchInterval: EVERY_MS, placeholderData: (former: Visit | undefined) => former },
    ),
  );
  const found = visit.data?.click?.referral_id ?? null;
  // Naming the referral in later queries makes sure that the click is found, however many other clicks arrive.
  if (found !== null && found !== referralId) setReferralId(found);
  return (
    <Stack>
      <Text>
        <Anchor href={address} target="_blank" rel="noreferrer">
          {t.followLink}
        </Anchor>
      </Text>
      {visit.isError && <Failure error={visit.error} />}
      <div aria-live="polite">{visit.data && <Steps mark={mark} visit={visit.data} />}</div>
    </Stack>
  );
}

function Steps({ mark, visit: { click, is_lead, sale, commission } }: { mark: string; visit: Visit }) {
  const reached = [click?.referral_id, is_lead || sale, sale, commission];
  const last = reached.findLastIndex(Boolean);
  return (
    <Timeline active={last} bulletSize={16}>
      <Timeline.Item title={click ? t.stepClicked : t.stepClick}>
        {click && (
          <Text size="sm" c="dimmed">
            {click.referral_id === null ? (
              t.stepBot
            ) : (
              <RecordLink to={pathOf(click.referral_id)!} inText>
                {t.openReferral}
              </RecordLink>
            )}
          </Text>
        )}
      </Timeline.Item>
      <Timeline.Item title={is_lead ? t.stepIsLead : t.stepLead} />
      <Timeline.Item title={sale ? t.stepSold : t.stepSale}>
        {sale ? (
          <Group gap="xs">
            <Text size="sm">{formatMoney(sale.amount_cents, sale.currency)}</Text>
            <ModeBadge livemode={sale.livemode} />
          </Group>
        ) : (
          click?.referral_id && <NextSale mark={mark} referralId={click.referral_id} />
        )}
      </Timeline.Item>
      <Timeline.Item title={commission ? t.stepEarned : t.stepCommission}>
        {commission && <Text size="sm">{formatMoney(commission.amount_cents, commission.currency)}</Text>}
      </Timeline.Item>
    </Timeline>
  );
}

/** Explains how to make the test sale: with a payment in the provider's test mode or, for admins, with the button shown. */
function NextSale({ mark, referralId }: { mark: string; referralId: string }) {
  const may = useMay();
  const record = useMutation(trpc.site.recordTestSale.mutationOptions());
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{t.saleExplained}</Text>
      {may('sales') && (
        <Button
          size="compact-sm"
          variant="default"
          loading={record.isPending}
          onClick={() => record.mutate({ mark, referral_id: referralId })}
        >
          {t.recordSale}
        </Button>
      )}
      {record.isError && <Failure error={record.error} />}
    </Stack>
  );
}
