import { readableText } from '../components/readable-message.ts';
import { type ServiceError, serviceErrorOf } from './service-error.ts';

interface Form {
  getValues: () => object;
  setErrors: (errors: Record<string, string>) => void;
}

/** Errors that are shown completely at form fields, so that `Failure` does not repeat them. */
const shown = new WeakSet<object>();

/** Shows each field error of a response next to its form field. */
export function showFieldErrors(form: Form): (error: unknown) => void {
  return (error) => {
    const { fields } = serviceErrorOf(error);
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
