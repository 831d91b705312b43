import { serviceErrorOf } from './service-error.ts';

/** Puts what the service says about single fields at those fields. */
export function showFieldErrors(form: { setErrors: (errors: Record<string, string>) => void }): (error: unknown) => void {
  return (error) => form.setErrors(serviceErrorOf(error).fields);
}
