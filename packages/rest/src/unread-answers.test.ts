import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { expect, it } from 'vitest';
import { createUnreadAnswers } from './unread-answers.ts';

const answer = (unread: number) =>
  Object.assign(new EventEmitter(), { socket: { writableLength: unread } }) as unknown as Response & EventEmitter;

it('refuses a client that leaves too many bytes unread, and no other client', () => {
  const answers = createUnreadAnswers(100);
  const [first, second, other] = [answer(60), answer(60), answer(0)];
  answers.begin('a', first);
  answers.begin('a', second);
  answers.begin('b', other);
  expect(() => answers.begin('a', answer(0))).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(() => answers.assertRoom(second)).toThrow('Too many requests');
  answers.assertRoom(other);
  first.emit('close');
  answers.begin('a', answer(0));
  answers.assertRoom(second);
});

it('counts an answer for several clients', () => {
  const answers = createUnreadAnswers(100);
  const large = answer(101);
  answers.begin('address', large);
  answers.begin('account', large);
  for (const client of ['address', 'account']) expect(() => answers.begin(client, answer(0))).toThrow('Too many requests');
});
