import { useEffect, useState } from 'react';
import type { Outputs } from '../api/client.ts';
import { call } from '../api/plain-call.ts';
import { Frame, Problem } from '../sign-in/form.tsx';
import { useSubmission } from '../sign-in/submission.ts';
import { t as components } from '../texts/components.ts';
import { t } from '../texts/join.ts';
import { t as loading } from '../texts/loading.ts';
import { ApplicationForm } from './application-form.tsx';

/**
 * Shows the sign-up page of a campaign. Like the sign-in pages, it does without the component library, the router and the tRPC client, because most
 * applicants open it on a phone, once.
 */
export function JoinPage({ account, campaign }: { account: string; campaign: string }) {
  const [page, show] = useState<Outputs['join']['page'] | null>(null);
  const load = useSubmission(() => call<Outputs['join']['page']>('query', 'join.page', { account, campaign }), show);
  useEffect(() => load.submit(undefined), []);
  if (page) return <ApplicationForm page={page} account={account} campaign={campaign} />;
  if (load.error === null) return <main role="status" aria-label={loading.loading} />;
  return (
    <Frame title={t.affiliateProgram}>
      <div className="stack">
        <Problem text={load.error} />
        <button type="button" onClick={() => load.submit(undefined)}>
          {components.tryAgain}
        </button>
      </div>
    </Frame>
  );
}
