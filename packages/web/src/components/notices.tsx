import { Notification } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { serviceErrorOf } from '../api/service-error.ts';
import { readableText } from './readable-message.ts';
import classes from './notices.module.css';

interface Notice {
  id: number;
  message: string;
  isFailure: boolean;
}

const SHOWN_MS = 6_000;

let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function close(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

function add(message: string, isFailure: boolean): void {
  const id = ++last;
  change([...notices, { id, message, isFailure }]);
  setTimeout(() => close(id), SHOWN_MS);
}

/** Shows a message about a completed action for a few seconds. */
export function notify(message: string): void {
  add(message, false);
}

/** Shows the message of an error for a few seconds. */
export function notifyFailure(error: unknown): void {
  add(readableText(serviceErrorOf(error).message), true);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the recent notifications. Render it once per page. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div className={classes['notices']}>
      {shown.map(({ id, message, isFailure }) => (
        <Notification key={id} withBorder {...(isFailure ? { color: 'red' } : {})} onClose={() => close(id)}>
          {message}
        </Notification>
      ))}
    </div>
  );
}
