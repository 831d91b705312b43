import { Button, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Moment } from '../components/moment.tsx';
import { Writers, useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import type { Affiliate } from './affiliate.ts';

/** Shows the affiliate's coupon code in Stripe, or a button to create one. */
export function CouponPanel({ affiliate }: { affiliate: Affiliate }) {
  const may = useMay();
  if (affiliate.coupon) return <CouponDetail coupon={affiliate.coupon} />;
  return (
    <Stack align="flex-start">
      <Text c="dimmed">{t.noCouponYetACoupon}</Text>
      {affiliate.archived_at === null && may('affiliate_coupons') && (
        <DialogButton action={t.createCoupon}>{(close) => <CreateCoupon affiliate={affiliate} onClose={close} />}</DialogButton>
      )}
    </Stack>
  );
}

function CouponDetail({ coupon }: { coupon: NonNullable<Affiliate['coupon']> }) {
  const { affiliate_id, code, active, livemode, synced_at } = coupon;
  const update = useMutation(trpc.affiliateCoupons.update.mutationOptions());
  const sync = useMutation(trpc.affiliateCoupons.sync.mutationOptions());
  const failed = update.error ?? sync.error;
  return (
    <Stack align="flex-start">
      <Group>
        <Code fz="md">{code}</Code>
        {!livemode && <Text size="sm">{t.testMode}</Text>}
        <Writers of="affiliate_coupons">
          <Switch
            label={t.activeInStripe}
            checked={active}
            disabled={update.isPending}
            onChange={(event) => update.mutate({ affiliate_id, active: event.currentTarget.checked })}
          />
          <Button size="compact-sm" variant="default" loading={sync.isPending} onClick={() => sync.mutate({ affiliate_id })}>
            {t.sync}
          </Button>
        </Writers>
      </Group>
      <Text size="sm" c="dimmed">
        <Filled text={t.lastSynced} values={{ at: <Moment at={synced_at} /> }} />
      </Text>
      {failed && <Failure error={failed} />}
    </Stack>
  );
}

function CreateCoupon({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  const form = useForm({ initialValues: { code: '' } });
  const create = useMutation(
    trpc.affiliateCoupons.create.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }),
  );
  return (
    <FormDialog
      title={t.createCoupon}
      submit={t.create}
      size="md"
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit(({ code }) =>
        create.mutate({ affiliate_id: affiliate.id, ...(code.trim() === '' ? {} : { code: code.trim() }) }),
      )}
    >
      <Text size="sm">{t.codeDiscountHint}</Text>
      <TextInput label={t.code} description={t.codeHint} data-autofocus {...form.getInputProps('code')} />
    </FormDialog>
  );
}
