import { NativeSelect, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { instantOf } from '../components/local-time.ts';
import { MomentInput } from '../components/moment-input.tsx';
import { notify } from '../components/notices.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { t } from '../texts/portal-settings.ts';
import { QuestionFields } from './question-fields.tsx';

type Settings = Outputs['portalSettings']['get'];

/** Edits the rules for applications, the terms, and the sites that may embed the portal. */
export function SettingsForm({ settings }: { settings: Settings }) {
  const form = useForm({
    initialValues: {
      slug: settings.slug,
      support_email: settings.support_email ?? '',
      approval: settings.approval,
      approved_domains: settings.approved_domains.join('\n'),
      embed_origins: settings.embed_origins.join('\n'),
      rejected_domains: settings.rejected_domains.join('\n'),
      questions: settings.questions.map(({ choices, ...question }) => ({ ...question, choices: choices.join('\n') })),
      payout_details_hold_days: settings.payout_details_hold_days,
      billing_details: settings.billing_details ?? '',
      terms: settings.terms?.body ?? '',
      terms_summary: '',
      terms_apply_from: '',
    },
  });
  const update = useMutation(
    trpc.portalSettings.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => {
        // They belong to the version that was published.
        form.setValues({ terms_summary: '', terms_apply_from: '' });
        notify(t.settingsSaved);
      },
    }),
  );
  return (
    <form
      onSubmit={form.onSubmit(
        ({
          slug,
          support_email,
          terms,
          terms_summary,
          terms_apply_from,
          billing_details,
          embed_origins,
          approved_domains,
          rejected_domains,
          questions,
          ...others
        }) =>
          update.mutate({
            ...others,
            approved_domains: linesOf(approved_domains),
            embed_origins: linesOf(embed_origins),
            rejected_domains: linesOf(rejected_domains),
            questions: questions.map(({ choices, ...question }) => ({
              ...question,
              choices: question.kind === 'choice' ? linesOf(choices) : [],
            })),
            support_email: support_email.trim() || null,
            billing_details: billing_details.trim() || null,
            ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
            ...(terms.trim() === '' ? {} : { terms }),
            ...(terms_summary.trim() === '' ? {} : { terms_summary }),
            terms_apply_from: instantOf(terms_apply_from),
          }),
      )}
    >
      <Stack>
        <TextInput label={t.slug} description={t.slugExplained} maxLength={60} {...form.getInputProps('slug')} />
        <TextInput
          label={t.supportEmail}
          type="email"
          description={t.supportEmailExplained}
          {...form.getInputProps('support_email')}
        />
        <NativeSelect
          label={t.applications}
          data={[
            { value: 'manual', label: t.byHand },
            { value: 'automatic', label: t.atOnce },
            { value: 'rule', label: t.byRule },
          ]}
          {...form.getInputProps('approval')}
        />
        {form.values.approval === 'rule' && (
          <>
            <Textarea
              label={t.approvedDomains}
              description={t.domainsExplained}
              autosize
              minRows={2}
              maxRows={10}
              {...form.getInputProps('approved_domains')}
            />
            <Textarea
              label={t.rejectedDomains}
              description={t.domainsExplained}
              autosize
              minRows={2}
              maxRows={10}
              {...form.getInputProps('rejected_domains')}
            />
          </>
        )}
        <QuestionFields form={form} />
        <Textarea
          label={t.embedOrigins}
          description={t.embedOriginsExplained}
          autosize
          minRows={1}
          maxRows={10}
          {...form.getInputProps('embed_origins')}
        />
        <Textarea
          label={t.billingDetails}
          description={t.billingDetailsExplained}
          rows={4}
          maxLength={1_000}
          {...form.getInputProps('billing_details')}
        />
        <NumberInput
          label={t.holdDays}
          min={0}
          max={30}
          allowDecimal={false}
          {...form.getInputProps('payout_details_hold_days')}
        />
        <Textarea
          label={t.terms}
          description={settings.terms ? t.termsVersion({ version: settings.terms.version }) : t.termsExplained}
          autosize
          minRows={4}
          maxRows={16}
          {...form.getInputProps('terms')}
        />
        {settings.terms && form.values.terms !== settings.terms.body && (
          <>
            <Textarea
              label={t.termsSummary}
              description={t.termsSummaryExplained}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={1_000}
              {...form.getInputProps('terms_summary')}
            />
            <MomentInput
              label={t.termsApplyFrom}
              description={t.termsApplyFromExplained}
              {...form.getInputProps('terms_apply_from')}
            />
          </>
        )}
        <SaveRow save={update} />
      </Stack>
    </form>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
