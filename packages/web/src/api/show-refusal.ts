import { refusalOf } from './refusal.ts';

/** Puts what the service says about single fields at those fields. */
export function showRefusal(form: { setErrors: (errors: Record<string, string>) => void }): (error: unknown) => void {
  return (error) => form.setErrors(refusalOf(error).fields);
}
