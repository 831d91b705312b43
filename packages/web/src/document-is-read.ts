/** Resolves when the browser has parsed the document. The entry scripts run earlier, so that their requests to the service start early. */
export const documentIsRead: Promise<unknown> | null =
  document.readyState === 'loading'
    ? new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
    : null;
