import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Card } from '../components/card.tsx';
import { Failure } from '../components/failure.tsx';
import { Loading } from '../components/loading.tsx';
import { NameFields } from '../components/name-fields.tsx';
import { t } from '../texts/join.ts';
import { language } from '../texts/language.ts';
import { useBrand } from './brand.tsx';
import { QuestionField } from './question-field.tsx';
import { TermsText } from './terms.tsx';
import classes from './portal-layout.module.css';

/** Shows the sign-up page of a campaign. */
export function JoinPage() {
  const { account = '', campaign = '' } = useParams();
  const page = useQuery(trpc.join.page.queryOptions({ account, campaign }, { staleTime: Infinity }));
  if (page.isPending) return <Loading />;
  if (page.isError) {
    return (
      <Card title={t.affiliateProgram}>
        <Failure error={page.error} retry={() => void page.refetch()} />
      </Card>
    );
  }
  return <ApplicationForm page={page.data} account={account} campaign={campaign} />;
}

interface ApplicationFormProps {
  page: Outputs['join']['page'];
  account: string;
  campaign: string;
}

function ApplicationForm({ page, account, campaign }: ApplicationFormProps) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      first_name: '',
      last_name: '',
      email: '',
      website: '',
      accepted: false,
      answers: page.questions.map(() => ''),
    },
    validate: { accepted: (accepted) => (page.terms && !accepted ? t.mustAcceptTerms : null) },
  });
  useBrand(page.brand);
  const brand = { name: page.account_name, ...page.brand };
  const apply = useMutation(trpc.join.submit.mutationOptions({ onError: showFieldErrors(form) }));
  if (apply.isSuccess) {
    return (
      <Card title={t.confirmAddress} brand={brand}>
        <Text role="status">{t.confirmationSent({ email: apply.data.email, account: page.account_name })}</Text>
      </Card>
    );
  }
  return (
    <Card title={t.join({ account: page.account_name })} brand={brand}>
      <Stack>
        <Text fw={600}>{page.campaign_name}</Text>
        <Text>{page.reward_in[language]}</Text>
        {page.welcome_text !== null && <Text className={classes['text']}>{page.welcome_text}</Text>}
        <form
          onSubmit={form.onSubmit(({ first_name, last_name, email, website, answers }) =>
            apply.mutate({
              account,
              campaign,
              email: email.trim(),
              ...(first_name.trim() === '' ? {} : { first_name: first_name.trim() }),
              ...(last_name.trim() === '' ? {} : { last_name: last_name.trim() }),
              ...(website === '' ? {} : { website }),
              ...(page.terms ? { accepted_terms: page.terms.version } : {}),
              answers: page.questions.map(({ label }, index) => ({ question: label, answer: answers[index] ?? '' })),
              form_token: page.form_token,
              language,
            }),
          )}
        >
          <Stack>
            <NameFields form={form} />
            <TextInput
              label={t.email}
              type="email"
              autoComplete="email"
              required
              withAsterisk={false}
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            {page.questions.map((question, index) => (
              <QuestionField
                key={form.key(`answers.${index}`)}
                question={question}
                input={form.getInputProps(`answers.${index}`)}
              />
            ))}
            <div className={classes['trap']} aria-hidden="true">
              <input type="text" tabIndex={-1} autoComplete="off" key={form.key('website')} {...form.getInputProps('website')} />
            </div>
            {page.terms && (
              <>
                <TermsText terms={page.terms} />
                <Checkbox
                  label={t.acceptTerms}
                  key={form.key('accepted')}
                  {...form.getInputProps('accepted', { type: 'checkbox' })}
                />
              </>
            )}
            {apply.isError && <Failure error={apply.error} />}
            <Button type="submit" loading={apply.isPending} fullWidth>
              {t.apply}
            </Button>
            {page.support_email !== null && (
              <Text size="sm" c="dimmed">
                {t.questions({ email: page.support_email })}
              </Text>
            )}
          </Stack>
        </form>
      </Stack>
    </Card>
  );
}
