/** Forms into which somebody has typed. `sent`: their entries are on the way to the service. */
const forms = new Map<HTMLFormElement, 'typed' | 'sent'>();

/** Notices entries in the forms of the document, except in those that save nothing. Before the document is left, the browser asks. Call it once per document. */
export function watchEntries(): void {
  document.addEventListener('input', ({ target }) => {
    const form = (target as Element).closest('form');
    if (form && form.role !== 'search' && form.dataset['savesNothing'] === undefined) forms.set(form, 'typed');
  });
  document.addEventListener(
    'submit',
    ({ target }) => {
      const form = target as HTMLFormElement;
      if (forms.has(form)) forms.set(form, 'sent');
    },
    { capture: true },
  );
  window.addEventListener('beforeunload', (event) => {
    if (hasUnsavedEntries()) event.preventDefault();
  });
}

/** True if a form that is still open has entries that the service has not accepted. */
export function hasUnsavedEntries(): boolean {
  for (const form of forms.keys()) if (!form.isConnected) forms.delete(form);
  return forms.size > 0;
}

/** Notes that the service has accepted the entries that were sent. */
export function entriesAccepted(): void {
  for (const [form, state] of forms) if (state === 'sent') forms.delete(form);
}

/** Lets go of all entries, because the person leaves without saving. */
export function discardEntries(): void {
  forms.clear();
}
