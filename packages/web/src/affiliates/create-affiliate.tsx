import { Checkbox } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { t } from '../texts/affiliates.ts';
import { AffiliateFields, personOf, valuesOf } from './affiliate-fields.tsx';

/** Creates an affiliate and opens their page. */
export function CreateAffiliate({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: valuesOf() });
  const [approved, setApproved] = useState(true);
  const create = useMutation(
    trpc.affiliates.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: ({ id }) => navigate(`/affiliates/${id}`),
    }),
  );
  return (
    <FormDialog
      title={t.addAffiliate}
      submit={t.add}
      progress={create}
      onClose={onClose}
      onSubmit={form.onSubmit((values) =>
        create.mutate({
          ...personOf(values),
          ...(values.campaign_id === '' ? {} : { campaign_id: values.campaign_id }),
          state: approved ? 'active' : 'pending',
        }),
      )}
    >
      <AffiliateFields form={form} defaultCampaign />
      <Checkbox
        label={t.approveImmediately}
        description={t.onlyActiveAffiliatesTrackVisits}
        checked={approved}
        onChange={(event) => setApproved(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
