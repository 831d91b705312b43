import { Anchor, List, Select, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { RecordLink } from '../components/cells.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { labelOf } from '../components/labels.ts';
import { Loaded } from '../components/loaded.tsx';
import { t as counts } from '../texts/counts.ts';
import { t } from '../texts/sending.ts';
import { FeesBorne } from './payment-page.tsx';
import { modeOf, type Payout } from './payout.ts';

/** Number of left out payouts that the dialog names. */
const NAMED = 5;
const LIMIT = 100;

/** Prepares payments of the selected payouts' affiliates or, if none is selected, of all, and opens their page. Shows before what would be paid. */
export function PreparePayments({ payouts, onClose }: { payouts: Payout[]; onClose: () => void }) {
  const navigate = useNavigate();
  const kinds = useQuery(trpc.payoutRails.kinds.queryOptions({}));
  const rails = useQuery(trpc.payoutRails.list.queryOptions({ limit: LIMIT }));
  const [chosen, choose] = useState<string | null>(null);
  const connected = (kinds.data?.data ?? []).filter(
    ({ kind, sends }) => sends && rails.data?.data.some((rail) => rail.kind === kind),
  );
  const method = chosen ?? connected[0]?.kind;
  const affiliates = [...new Set(payouts.map(({ affiliate_id }) => affiliate_id))];
  const wanted = { method: method ?? '', ...modeOf(payouts), ...(affiliates.length > 0 && { affiliate_ids: affiliates }) };
  const preview = useQuery({
    queryKey: ['payment-preview', wanted],
    queryFn: () => client.payoutBatches.create.mutate({ ...wanted, dry_run: true }),
    enabled: method !== undefined,
    retry: false,
  });
  const prepare = useMutation(
    trpc.payoutBatches.create.mutationOptions({ onSuccess: ({ id }) => navigate(`/payouts/payments/${id}`) }),
  );
  return (
    <FormDialog
      title={t.preparePayments}
      submit={t.prepare}
      size="md"
      progress={prepare}
      disabled={preview.data === undefined || preview.data.payouts_count === 0}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        prepare.mutate(wanted);
      }}
    >
      <Loaded query={rails}>
        {() =>
          connected.length === 0 ? (
            <Text>
              {t.connectFirst}{' '}
              <Anchor component={Link} to="/settings/payout-methods">
                {t.payoutMethods}
              </Anchor>
            </Text>
          ) : (
            <Select
              label={t.method}
              data={connected.map(({ kind, name }) => ({ value: kind, label: name }))}
              value={method ?? null}
              allowDeselect={false}
              onChange={choose}
            />
          )
        }
      </Loaded>
      {method !== undefined && <Loaded query={preview}>{(would) => <Preview would={would} />}</Loaded>}
    </FormDialog>
  );
}

type Would = Awaited<ReturnType<typeof client.payoutBatches.create.mutate>>;

function Preview({ would: { totals, fees, funds, left_out, left_out_count, payouts_count, unquoted_count } }: { would: Would }) {
  return (
    <div role="status">
      {payouts_count === 0 && <Text>{t.nothingToPay}</Text>}
      <List>
        {totals.map(({ currency, payouts_count: count, amount_cents }) => (
          <List.Item key={currency}>
            {counts.payouts(count)}, {formatMoney(amount_cents, currency)}
          </List.Item>
        ))}
      </List>
      {funds.map(({ currency, needed_cents, available_cents }) =>
        available_cents === null ? null : (
          <Text key={currency} size="sm" c={available_cents < needed_cents ? 'red' : undefined}>
            {(available_cents < needed_cents ? t.fundsMissing : t.fundsThere)({
              needed: formatMoney(needed_cents, currency),
              available: formatMoney(available_cents, currency),
            })}
          </Text>
        ),
      )}
      <FeesBorne fees={fees} />
      {unquoted_count > 0 && <Text size="sm">{t.feesUnknown(unquoted_count)}</Text>}
      {left_out_count > 0 && (
        <>
          <Text size="sm" mt="sm">
            {t.leftOut(left_out_count)}
          </Text>
          <List size="sm">
            {left_out.slice(0, NAMED).map(({ payout_id, affiliate_id, affiliate_name, code }) => (
              <List.Item key={payout_id}>
                <RecordLink to={`/affiliates/${affiliate_id}`}>{affiliate_name}</RecordLink>: {labelOf(code)}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  );
}
