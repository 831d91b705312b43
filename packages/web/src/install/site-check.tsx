import { Alert, Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { Panel } from '../components/panel.tsx';
import { webAddress } from '../components/web-address.ts';
import { t } from '../texts/install.ts';

const FAILURES = {
  invalid_url: t.failureInvalidUrl,
  refused: t.failureRefused,
  unreachable: t.failureUnreachable,
  too_many_redirects: t.failureRedirects,
  error_page: t.failureErrorPage,
  not_html: t.failureNotHtml,
};

const PROBLEMS = {
  missing: t.problemMissing,
  no_account: t.problemNoAccount,
  wrong_account: t.problemWrongAccount,
  other_host: t.problemOtherHost,
  missing_params: t.problemMissingParams,
  blocked_script: t.problemBlockedScript,
  blocked_reports: t.problemBlockedReports,
};

/** Checks whether a page of the merchant's site contains the script. */
export function SiteCheck() {
  const form = useForm({ initialValues: { url: '' } });
  const [url, setUrl] = useState<string | null>(null);
  const check = useQuery(trpc.site.check.queryOptions({ url: url ?? '' }, { enabled: url !== null, retry: false, gcTime: 0 }));
  const start = (values: { url: string }) => {
    const next = webAddress(values.url);
    form.setValues({ url: next });
    if (next === url) void check.refetch();
    else setUrl(next);
  };
  return (
    <Panel title={t.check}>
      <Stack>
        <form data-saves-nothing onSubmit={form.onSubmit(start)}>
          <Group align="flex-end">
            <TextInput
              label={t.checkedPage}
              inputMode="url"
              placeholder="https://shop.example.com/"
              required
              maw={520}
              style={{ flexGrow: 1 }}
              {...form.getInputProps('url')}
            />
            <Button type="submit" loading={check.isFetching}>
              {t.checkNow}
            </Button>
          </Group>
        </form>
        <div role="status">
          {check.isError && <Failure error={check.error} />}
          {check.data && !check.isFetching && <Finding found={check.data} />}
        </div>
      </Stack>
    </Panel>
  );
}

function Finding({ found: { url, failure, script, problems } }: { found: Outputs['site']['check'] }) {
  if (failure !== null) return <Alert color="red" title={FAILURES[failure]} />;
  return (
    <Alert color={problems.length === 0 ? 'green' : 'red'} title={problems.length === 0 ? t.checkGood : t.checkBad}>
      <Stack gap="xs">
        {problems.length > 0 && (
          <List>
            {problems.map((problem) => (
              <List.Item key={problem}>{PROBLEMS[problem]}</List.Item>
            ))}
          </List>
        )}
        <Text size="sm">{t.checkedAt({ url })}</Text>
        {script && <Code>{script.src}</Code>}
      </Stack>
    </Alert>
  );
}
