import { type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Outputs } from '../api/client.ts';
import { call } from '../api/plain-call.ts';
import { Filled } from '../components/filled.tsx';
import { ChoiceField, Field, Frame, Problem } from '../sign-in/form.tsx';
import { fieldsOf, useSubmission, valuesOf } from '../sign-in/submission.ts';
import { t as components } from '../texts/components.ts';
import { t } from '../texts/join.ts';
import { language } from '../texts/language.ts';

type Page = Outputs['join']['page'];

interface ApplicationFormProps {
  page: Page;
  account: string;
  campaign: string;
}

export function ApplicationForm({ page, account, campaign }: ApplicationFormProps) {
  const { account_name, brand, questions, terms, support_email } = page;
  useBrand(brand);
  const [mustAccept, setMustAccept] = useState(false);
  const apply = useSubmission((input: Record<string, unknown>) =>
    call<Outputs['join']['submit']>('mutation', 'join.submit', input),
  );
  const { fields } = apply;
  /** The last request: its fields, to correct the address, and its input, to send it again. */
  const sent = useRef<{ values: Record<string, string>; input: Record<string, unknown> }>({ values: {}, input: {} });
  const { values: former } = sent.current;
  const [confirmation, setConfirmation] = useState<{ email: string; isAgain: boolean } | null>(null);
  useEffect(() => {
    const { answer } = apply;
    if (answer) setConfirmation((shown) => ({ email: answer.email, isAgain: shown !== null }));
  }, [apply.answer]);
  useEffect(() => {
    // A screen reader then reads the error of the first invalid field.
    if (mustAccept || Object.keys(fields).length > 0) document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [fields, mustAccept]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const values = valuesOf(event);
    const given = (name: string) => values[name]?.trim() || undefined;
    const isRefused = terms !== null && values['accepted'] === undefined;
    setMustAccept(isRefused);
    if (isRefused) return;
    const input = {
      account,
      campaign,
      email: given('email'),
      link_code: given('link_code'),
      first_name: given('first_name'),
      last_name: given('last_name'),
      website: given('website'),
      accepted_terms: terms?.version,
      answers: questions.map(({ label }, index) => ({ question: label, answer: values[`answers.${index}`] ?? '' })),
      form_token: page.form_token,
      language,
    };
    sent.current = { values, input };
    apply.submit(input);
  };
  const shownBrand = { name: account_name, logo_path: brand.logo_path };
  if (confirmation) {
    const { email, isAgain } = confirmation;
    return (
      <Frame title={t.confirmAddress} brand={shownBrand}>
        <div className="stack">
          <p role="status">
            {isAgain ? t.confirmationSentAgain({ email }) : t.confirmationSent({ email, account: account_name })}
          </p>
          <Problem text={apply.error} />
          <button type="button" aria-disabled={apply.isPending} onClick={() => apply.submit(sent.current.input)}>
            {t.sendAgain}
          </button>
          <button type="button" onClick={() => setConfirmation(null)}>
            {t.correctAddress}
          </button>
        </div>
      </Frame>
    );
  }
  return (
    <Frame title={t.join({ account: account_name })} brand={shownBrand}>
      <div className="stack">
        <p>
          <b>{page.campaign_name}</b>
        </p>
        <p>{page.reward_in[language]}</p>
        {page.rewards.length > 0 && (
          <ul aria-label={t.specialRewards}>
            {page.rewards.map((reward) => (
              <li key={reward.en}>{reward[language]}</li>
            ))}
          </ul>
        )}
        {page.welcome_text !== null && <p className="text">{page.welcome_text}</p>}
        <form onSubmit={submit} aria-label={t.apply}>
          <Field
            label={components.firstName}
            name="first_name"
            autoComplete="given-name"
            maxLength={100}
            required={false}
            defaultValue={former['first_name']}
            error={fields['first_name']}
          />
          <Field
            label={components.lastName}
            name="last_name"
            autoComplete="family-name"
            maxLength={100}
            required={false}
            defaultValue={former['last_name']}
            error={fields['last_name']}
          />
          <Field
            label={t.email}
            name="email"
            type="email"
            autoComplete="email"
            mark={components.required}
            defaultValue={former['email']}
            autoFocus={former['email'] !== undefined}
            error={fields['email']}
          />
          <CodeField account={account} campaign={campaign} former={former['link_code']} error={fields['link_code']} />
          {questions.map((question, index) => (
            <QuestionField
              key={question.label}
              question={question}
              name={`answers.${index}`}
              defaultValue={former[`answers.${index}`]}
              error={fields[`answers.${index}`]}
            />
          ))}
          <div className="trap" aria-hidden="true">
            <input type="text" name="website" tabIndex={-1} autoComplete="off" />
          </div>
          {terms && (
            <>
              <details>
                <summary>{t.termsOfProgram}</summary>
                <p className="text">{terms.body}</p>
              </details>
              <div>
                <label className="choice">
                  <input
                    type="checkbox"
                    name="accepted"
                    defaultChecked={former['accepted'] !== undefined}
                    {...(mustAccept && { 'aria-invalid': true, 'aria-describedby': 'must-accept' })}
                  />
                  <span>
                    {t.acceptTerms}
                    <span className="mark">{` ${components.required}`}</span>
                  </span>
                </label>
                {mustAccept && (
                  <div id="must-accept" className="error">
                    {t.mustAcceptTerms}
                  </div>
                )}
              </div>
            </>
          )}
          <Problem text={apply.error} />
          <button type="submit" className="primary" aria-disabled={apply.isPending}>
            {t.apply}
          </button>
          {support_email !== null && (
            <p className="description">
              <Filled text={t.questions} values={{ email: <a href={`mailto:${support_email}`}>{support_email}</a> }} />
            </p>
          )}
        </form>
      </div>
    </Frame>
  );
}

/** Pause in typing after which a code is checked. */
const CHECK_AFTER_MS = 300;

/** A field for the code of the first link, which is checked while the applicant types it. */
function CodeField({
  error,
  former = '',
  ...page
}: {
  account: string;
  campaign: string;
  former: string | undefined;
  error: string | undefined;
}) {
  const [code, type] = useState(former);
  const [checked, show] = useState<{ code: string; token?: string; refusal?: string | undefined }>({ code: '' });
  useEffect(() => {
    if (code.trim() === '') return undefined;
    const check = async () => {
      const asked = call<Outputs['join']['checkCode']>('query', 'join.checkCode', { ...page, link_code: code });
      show(
        await asked.then(
          ({ token }) => ({ code, token }),
          (failure: unknown) => ({ code, refusal: fieldsOf(failure)['link_code'] }),
        ),
      );
    };
    const timer = setTimeout(() => void check(), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [code]);
  const now = checked.code === code ? checked : null;
  return (
    <Field
      label={t.linkCode}
      name="link_code"
      defaultValue={former}
      maxLength={64}
      autoCapitalize="none"
      spellCheck={false}
      required={false}
      description={now?.token === undefined ? t.linkCodeExplained : t.codeIsFree({ token: now.token })}
      error={now?.refusal ?? error}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

interface QuestionFieldProps {
  question: Page['questions'][number];
  name: string;
  defaultValue: string | undefined;
  error: string | undefined;
}

/** A field for the answer to a merchant's question. */
function QuestionField({ question: { label, kind, required, choices }, ...field }: QuestionFieldProps) {
  if (kind === 'choice')
    return (
      <ChoiceField
        label={label}
        required={required}
        mark={required ? components.required : undefined}
        empty={t.chooseAnswer}
        choices={choices}
        {...field}
      />
    );
  return (
    <Field
      label={label}
      required={required}
      mark={required ? components.required : undefined}
      type={kind === 'url' ? 'url' : 'text'}
      maxLength={2_000}
      {...field}
    />
  );
}

/** Applies a merchant's colors to this page. */
function useBrand({ color, text_color }: Page['brand']): void {
  useLayoutEffect(() => {
    if (color === null || text_color === null) return;
    const { style } = document.documentElement;
    style.setProperty('--brand', color);
    style.setProperty('--brand-text', text_color);
  }, [color, text_color]);
}
