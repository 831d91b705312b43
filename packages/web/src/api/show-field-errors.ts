import { serviceErrorOf } from './service-error.ts';

/** Shows the field errors of a response at their form fields. */
export function showFieldErrors(form: { setErrors: (errors: Record<string, string>) => void }): (error: unknown) => void {
  return (error) => form.setErrors(serviceErrorOf(error).fields);
}
