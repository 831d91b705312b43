import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { Ago } from '../lists/ago.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/promo-codes.ts';

type Pending = Outputs['promoCodes']['pending']['data'][number];

/** Lists imports and creations of codes whose outcome is unknown, each with a button to finish it. Shows nothing if there are none. */
export function PendingCodes({ affiliateId }: { affiliateId: string }) {
  const mayFinish = useMay()('affiliate_coupons');
  const pending = useQuery(trpc.promoCodes.pending.queryOptions({ affiliate_id: affiliateId }));
  if (pending.data === undefined || pending.data.data.length === 0) return null;
  const columns: Column<Pending>[] = [
    { header: t.what, cell: textOf },
    { header: t.since, cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
  if (mayFinish)
    columns.push({ header: t.actions, cell: (operation) => <Finish operation={operation} affiliateId={affiliateId} /> });
  return (
    <Section title={t.pending}>
      <Text mb="sm">{t.pendingMeaning}</Text>
      <RecordTable caption={t.pending} columns={columns} rows={pending.data.data} keyOf={({ id }) => id} />
    </Section>
  );
}

function textOf({ type, code, psp_coupon_id, psp_promotion_code_id }: Pending): string {
  return type === 'create' ? t.createdCode({ code, discount: psp_coupon_id }) : t.importedCode({ code: psp_promotion_code_id });
}

function Finish({ operation, affiliateId }: { operation: Pending; affiliateId: string }) {
  const { id, code, psp_promotion_code_id, is_running } = operation;
  const resume = useMutation(trpc.promoCodes.resume.mutationOptions());
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t.finishOf({ code: code ?? psp_promotion_code_id })}
        loading={resume.isPending}
        disabled={is_running}
        onClick={() => resume.mutate({ affiliate_id: affiliateId, operation_id: id })}
      >
        {t.finish}
      </Button>
      {resume.isError && <Failure error={resume.error} />}
    </>
  );
}
