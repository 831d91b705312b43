import { Anchor, NativeSelect, NumberInput, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { t } from '../texts/en/portal-settings.ts';
import { QuestionFields } from './question-fields.tsx';
import { notify } from '../components/notices.tsx';

type Settings = Outputs['join']['settings'];

/** Sign-up pages and the portal of affiliates. */
export function PortalSettingsPage() {
  const settings = useQuery(trpc.join.settings.queryOptions());
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  return (
    <LoadedPage query={settings}>
      {(data) => (
        <Page title="Affiliate portal" description="How affiliates apply, and the terms that they accept.">
          <Paper withBorder p="lg" radius="md" maw={640}>
            <SettingsForm settings={data} />
          </Paper>
          {data.slug !== null && (
            <Stack gap="xs">
              <Text fw={600}>Sign-up pages</Text>
              {campaigns.data?.data
                .filter((campaign) => !campaign.private)
                .map(({ id, slug, name }) => (
                  <Anchor key={id} href={`/join/${data.slug}/${slug}`}>
                    {name}
                  </Anchor>
                ))}
            </Stack>
          )}
        </Page>
      )}
    </LoadedPage>
  );
}

function SettingsForm({ settings }: { settings: Settings }) {
  const form = useForm({
    initialValues: {
      slug: settings.slug ?? '',
      support_email: settings.support_email ?? '',
      approval: settings.approval,
      approved_domains: settings.approved_domains.join('\n'),
      embed_origins: settings.embed_origins.join('\n'),
      rejected_domains: settings.rejected_domains.join('\n'),
      questions: settings.questions.map(({ choices, ...question }) => ({ ...question, choices: choices.join('\n') })),
      payout_details_hold_days: settings.payout_details_hold_days,
      terms: settings.terms?.body ?? '',
    },
  });
  const update = useMutation(
    trpc.join.updateSettings.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => notify('Settings saved.'),
    }),
  );
  return (
    <form
      onSubmit={form.onSubmit(
        ({ slug, support_email, terms, embed_origins, approved_domains, rejected_domains, questions, ...others }) =>
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
            ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
            ...(terms.trim() === '' ? {} : { terms }),
          }),
      )}
    >
      <Stack>
        <TextInput
          label="Name in addresses"
          description="As in /join/northwind-tea/friends."
          maxLength={60}
          {...form.getInputProps('slug')}
        />
        <TextInput
          label="Support e-mail"
          type="email"
          description="Shown to applicants."
          {...form.getInputProps('support_email')}
        />
        <NativeSelect
          label="Applications"
          data={[
            { value: 'manual', label: 'Wait until somebody approves them' },
            { value: 'automatic', label: 'Are approved at once' },
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
        <NumberInput
          label="Days that payouts wait after new payout details"
          min={0}
          max={30}
          allowDecimal={false}
          {...form.getInputProps('payout_details_hold_days')}
        />
        <Textarea
          label="Terms of the program"
          description={
            settings.terms ? `Version ${settings.terms.version}. A change becomes a new version.` : 'Applicants must accept them.'
          }
          autosize
          minRows={4}
          maxRows={16}
          {...form.getInputProps('terms')}
        />
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
