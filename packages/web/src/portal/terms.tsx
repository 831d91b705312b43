import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { tellHost } from '../api/portal-token.ts';
import { Failure } from '../components/failure.tsx';
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

/** Asks an affiliate to accept the current terms. */
export function TermsToAccept({ terms, readOnly }: { terms: Terms; readOnly: boolean }) {
  const accept = useMutation(trpc.portal.acceptTerms.mutationOptions({ onSuccess: () => tellHost({ type: 'joined' }) }));
  return (
    <Alert color="yellow" role="status" title={t.newTerms}>
      <Stack>
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
