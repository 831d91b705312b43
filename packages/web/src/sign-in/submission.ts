import { type SubmitEvent, useState } from 'react';
import { AuthError } from '../api/auth-error.ts';
import { t } from '../texts/connection.ts';

export interface Submission<Input, Answer = unknown> {
  isPending: boolean;
  isDone: boolean;
  /** The answer of the service, or null if there is none yet. */
  answer: Answer | null;
  /** The error message to show, or null if there was no error. */
  error: string | null;
  /** The error of each field that the service names. `error` contains them too. */
  fields: Readonly<Record<string, string>>;
  submit: (input: Input) => void;
}

const IDLE = { isPending: false, isDone: false, answer: null, error: null, fields: {} };

/** Returns the state of a form and a function to submit it. Submitting does nothing while a submission is in progress. */
export function useSubmission<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
): Submission<Input, Answer> {
  const [state, setState] = useState<Omit<Submission<Input, Answer>, 'submit'>>(IDLE);
  const answer = async (input: Input) => {
    let answered: Answer;
    try {
      answered = await send(input);
    } catch (error) {
      setState({ ...IDLE, error: textOf(error), fields: fieldsOf(error) });
      return;
    }
    // The button stays busy while `onDone` loads the next page.
    setState({ ...IDLE, isPending: onDone !== undefined, isDone: true, answer: answered });
    onDone?.(answered);
  };
  const submit = (input: Input) => {
    if (state.isPending) return;
    setState({ ...IDLE, isPending: true });
    void answer(input);
  };
  return { ...state, submit };
}

function textOf(error: unknown): string {
  if (!(error instanceof AuthError)) return navigator.onLine ? t.unreachable : t.offline;
  const { error: text, details } = error.envelope;
  const messages = Array.isArray(details) ? details.flatMap(({ message }: { message?: string }) => message ?? []) : [];
  return messages.length > 0 ? messages.join(' ') : text;
}

/** Returns the error of each field that the service names in a refusal. */
export function fieldsOf(error: unknown): Record<string, string> {
  const details = error instanceof AuthError ? error.envelope.details : null;
  if (!Array.isArray(details)) return {};
  return Object.fromEntries(details.map(({ path, message }: { path: string; message: string }) => [path, message]));
}

/** Returns the values of a submitted form, by field name. Prevents the browser from sending the form itself. */
export function valuesOf(event: SubmitEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  return Object.fromEntries(
    [...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}
