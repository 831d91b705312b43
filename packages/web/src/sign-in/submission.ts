import { type SubmitEvent, useState } from 'react';
import { AuthError } from '../api/auth-error.ts';
import { t } from '../texts/connection.ts';

export interface Submission<Input> {
  isPending: boolean;
  isDone: boolean;
  /** The error message to show, or null if there was no error. */
  error: string | null;
  submit: (input: Input) => void;
}

/** Returns the state of a form and a function to submit it. Submitting does nothing while a submission is in progress. */
export function useSubmission<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
): Submission<Input> {
  const [state, setState] = useState<Omit<Submission<Input>, 'submit'>>({ isPending: false, isDone: false, error: null });
  const answer = async (input: Input) => {
    let answered: Answer;
    try {
      answered = await send(input);
    } catch (error) {
      setState({ isPending: false, isDone: false, error: textOf(error) });
      return;
    }
    // The button stays busy while `onDone` loads the next page.
    setState({ isPending: onDone !== undefined, isDone: true, error: null });
    onDone?.(answered);
  };
  const submit = (input: Input) => {
    if (state.isPending) return;
    setState({ isPending: true, isDone: false, error: null });
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

/** Returns the values of a submitted form, by field name. Prevents the browser from sending the form itself. */
export function valuesOf(event: SubmitEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  return Object.fromEntries(
    [...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}
