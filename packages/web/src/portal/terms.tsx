import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { tellHost } from '../api/portal-token.ts';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { t as joinTexts } from '../texts/join.ts';
import { t } from '../texts/portal-pages.ts';
import classes from './portal-layout.module.css';

interface Terms {
  version: number;
  body: string;
}

/** Shows the terms of the program, collapsed. */
export function TermsText({ terms: { body } }: { terms: Terms }) {
  return (
    <details>
      <summary>{joinTexts.termsOfProgram}</summary>
      <Text size="sm" className={classes['text']}>
        {body}
      </Text>
    </details>
  );
}

type TermsOfHome = NonNullable<Outputs['portal']['home']['terms']>;

/** Lists the paragraphs that are new in the terms, and those that are no longer in them. */
function Changes({ changes: { added, removed } }: { changes: NonNullable<TermsOfHome['changes']> }) {
  return (
    <>
      {[
        { title: t.newParagraphs, paragraphs: added },
        { title: t.removedParagraphs, paragraphs: removed },
      ].map(
        ({ title, paragraphs }) =>
          paragraphs.length > 0 && (
            <details key={title}>
              <summary>{title}</summary>
              <Text size="sm" className={classes['text']}>
                {paragraphs.join('\n')}
              </Text>
            </details>
          ),
      )}
    </>
  );
}

/** Asks an affiliate to accept the latest terms, and shows what is new in them. */
export function TermsToAccept({ terms, readOnly }: { terms: TermsOfHome; readOnly: boolean }) {
  const accept = useMutation(trpc.portal.acceptTerms.mutationOptions({ onSuccess: () => tellHost({ type: 'joined' }) }));
  return (
    <Alert color="yellow" role="status" title={t.newTerms}>
      <Stack>
        <Text size="sm">
          <Filled text={t.termsApplyFrom} values={{ date: <Moment at={terms.applies_from} /> }} />
        </Text>
        {terms.summary !== null && (
          <Text size="sm" className={classes['text']}>
            {terms.summary}
          </Text>
        )}
        {terms.changes !== null && <Changes changes={terms.changes} />}
        <TermsText terms={terms} />
        {accept.isError && <Failure error={accept.error} />}
        {!readOnly && (
          <div>
            <Button loading={accept.isPending} onClick={() => accept.mutate({ version: terms.version })}>
              {t.accept}
            </Button>
          </div>
        )}
      </Stack>
    </Alert>
  );
}
