import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc, withKey } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/promo-codes.ts';

/** Wait after the last keystroke before the text is sent, because every search and preview makes a request to Stripe. */
const DELAY_MS = 500;

/** The existing code to import, or the code to create and its discount. */
type Wanted = { psp_promotion_code_id: string } | { mode: 'create'; code: string; psp_coupon_id: string };

interface Keyed {
  wanted: Wanted;
  /** Idempotency key. If Stripe did not respond, sending the same request with the same key completes it. */
  key: string;
}

/** Assigns an existing Stripe code to the affiliate, or creates a new one. Shows a preview first. */
export function AssignCode({ affiliate, onClose }: { affiliate: { id: string; name: string }; onClose: () => void }) {
  const [source, choose] = useState('existing');
  const [keyed, setKeyed] = useState<Keyed | null>(null);
  const want = (wanted: Wanted | null) => setKeyed(wanted && { wanted, key: newKey() });
  const input = keyed && { affiliate_id: affiliate.id, ...keyed.wanted };
  const preview = useQuery({
    queryKey: ['promoCode', input],
    queryFn: input ? () => client.promoCodes.assign.mutate({ ...input, dry_run: true }) : skipToken,
    retry: false,
  });
  const assign = useMutation({
    mutationFn: ({ wanted, key }: Keyed) =>
      client.promoCodes.assign.mutate({ affiliate_id: affiliate.id, ...wanted, dry_run: false }, withKey(key)),
    onSuccess: ({ assignment: { code } }) => {
      notify(t.assigned({ code, name: affiliate.name }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.assignCode}
      submit={t.assign}
      disabled={preview.data === undefined}
      progress={assign}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (keyed && preview.data) assign.mutate(keyed);
      }}
    >
      <Radio.Group
        aria-label={t.assignCode}
        value={source}
        onChange={(value) => {
          choose(value);
          want(null);
        }}
      >
        <Stack gap="xs">
          <Radio value="existing" label={t.existing} />
          <Radio value="create" label={t.create} />
        </Stack>
      </Radio.Group>
      {source === 'existing' ? (
        <FindCode affiliateId={affiliate.id} want={want} />
      ) : (
        <NewCode affiliateId={affiliate.id} want={want} />
      )}
      {preview.isError && <Failure error={preview.error} />}
      {preview.data && (
        <Text role="status">
          {[
            t.preview({ code: preview.data.assignment.code, name: affiliate.name }),
            ...preview.data.warnings.map(({ message }) => message),
          ].join(' ')}
        </Text>
      )}
    </FormDialog>
  );
}

/** Returns a new idempotency key. Does not use `crypto.randomUUID`, which browsers offer only on pages with TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].join('-');
}

interface ChoiceProps {
  affiliateId: string;
  want: (wanted: Wanted | null) => void;
}

function FindCode({ affiliateId, want }: ChoiceProps) {
  const [text, setText] = useState('');
  const [chosen, choose] = useState('');
  const [requested] = useDebouncedValue(text.trim(), DELAY_MS);
  const found = useQuery(
    trpc.promoCodes.list.queryOptions(
      { affiliate_id: affiliateId, q: requested, limit: 1 },
      { enabled: requested !== '', placeholderData: keepPreviousData, retry: false },
    ),
  );
  const matches = requested === '' ? undefined : found.data?.matches;
  return (
    <>
      <TextInput
        label={t.codeToFind}
        data-autofocus
        maxLength={500}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose('');
          want(null);
        }}
      />
      {found.isError && <Failure error={found.error} />}
      {matches?.length === 0 && <Text size="sm">{t.noCodeInStripe}</Text>}
      {matches !== undefined && matches.length > 0 && (
        <Radio.Group
          label={t.code}
          value={chosen}
          onChange={(id) => {
            choose(id);
            want({ psp_promotion_code_id: id });
          }}
        >
          <Stack gap="xs" mt={4}>
            {matches.map(({ psp_promotion_code_id: id, affiliate_id, observation: { code, psp_coupon_id } }) => {
              const isTaken = affiliate_id !== null && affiliate_id !== affiliateId;
              const name = [code, psp_coupon_id].filter(Boolean).join(', ');
              return <Radio key={id} value={id} disabled={isTaken} label={isTaken ? t.takenBy({ code: name }) : name} />;
            })}
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}

function NewCode({ affiliateId, want }: ChoiceProps) {
  const [code, setCode] = useState('');
  const [discount, setDiscount] = useState('');
  const settle = useDebouncedCallback(want, DELAY_MS);
  const discounts = useQuery(
    trpc.promoCodes.list.queryOptions({ affiliate_id: affiliateId, discounts: true, limit: 1 }, { retry: false }),
  );
  return (
    <Loaded query={discounts}>
      {({ discounts: all = [] }) => {
        const [first] = all;
        if (first === undefined) return <Text>{t.noDiscounts}</Text>;
        const chosen = discount === '' ? first.psp_coupon_id : discount;
        const change = (nextCode: string, psp_coupon_id: string) => {
          setCode(nextCode);
          setDiscount(psp_coupon_id);
          want(null);
          settle(nextCode.trim() === '' ? null : { mode: 'create', code: nextCode.trim(), psp_coupon_id });
        };
        return (
          <>
            <NativeSelect
              label={t.discount}
              data={all.map(({ psp_coupon_id, name }) => ({ value: psp_coupon_id, label: name ?? psp_coupon_id }))}
              value={chosen}
              onChange={(event) => change(code, event.currentTarget.value)}
            />
            <TextInput
              label={t.code}
              description={t.codeHint}
              maxLength={500}
              value={code}
              onChange={(event) => change(event.currentTarget.value, chosen)}
            />
          </>
        );
      }}
    </Loaded>
  );
}
