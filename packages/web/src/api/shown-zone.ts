let zone: string | undefined;

/** Returns the time zone in which the page shows times: that of the account, as in emails and files. Undefined, for that of the browser, without an account. */
export function shownTimeZone(): string | undefined {
  return zone;
}

export function showTimeZone(timeZone: string | undefined): void {
  zone = timeZone;
}
