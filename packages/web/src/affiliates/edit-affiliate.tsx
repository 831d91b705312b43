import { Checkbox } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import { AffiliateFields, personOf, valuesOf } from './affiliate-fields.tsx';
import type { Affiliate } from './affiliate.ts';

export function EditAffiliate({ affiliate, onClose }: { affiliate: Affiliate; onClose: () => void }) {
  const may = useMay();
  const form = useForm({ initialValues: valuesOf(affiliate) });
  const [movesLinks, setMovesLinks] = useState(true);
  const update = useMutation(trpc.affiliates.update.mutationOptions({ onError: showFieldErrors(form), onSuccess: onClose }));
  return (
    <FormDialog
      title={t.editOf({ affiliate: nameOf(affiliate) })}
      submit={t.save}
      progress={update}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        update.mutate({ id: affiliate.id, campaign_id: values.campaign_id, move_links: movesLinks, ...personOf(values) }),
      )}
    >
      <AffiliateFields form={form} defaultCampaign={false} mayRedirect={may('payouts')} />
      {form.values.campaign_id !== affiliate.campaign_id && (
        <Checkbox
          label={t.moveLinksAndCodes}
          description={t.referralsStay}
          checked={movesLinks}
          onChange={(event) => setMovesLinks(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
