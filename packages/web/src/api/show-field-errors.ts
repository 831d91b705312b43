import { readableText } from '../components/readable-message.ts';
import { type ServiceError, serviceErrorOf } from './service-error.ts';

interface Form {
  getValues: () => object;
  setErrors: (errors: Record<string, string>) => void;
}

/** Errors that are shown completely at form fields, so that `Failure` does not repeat them. */
const shown = new WeakSet<object>();

/**
 * Shows each field error of a response next to its form field.
 *
 * @param within path of the object in the input that has the fields. Default: the input itself
 */
export function showFieldErrors(form: Form, within?: string): (error: unknown) => void {
  return (error) => {
    const prefix = within === undefined ? '' : `${within}.`;
    const named = Object.entries(serviceErrorOf(error).fields);
    const fields = Object.fromEntries(
      named.map(([path, message]) => [path.startsWith(prefix) ? path.slice(prefix.length) : path, message]),
    );
    form.setErrors(Object.fromEntries(Object.entries(fields).map(([path, message]) => [path, readableText(message)])));
    if (typeof error === 'object' && error !== null && isAboutFields(fields, form.getValues())) shown.add(error);
  };
}

function isAboutFields(fields: ServiceError['fields'], values: object): boolean {
  const paths = Object.keys(fields);
  return paths.length > 0 && paths.every((path) => path in values);
}

/** True if all parts of the error are shown at the fields of a form. */
export function isShownAtFields(error: unknown): boolean {
  return typeof error === 'object' && error !== null && shown.has(error);
}
