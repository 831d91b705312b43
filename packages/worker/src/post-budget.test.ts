import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PostBudget, type PostSlot } from './post-budget.ts';

let utilization: number;
beforeEach(() => {
  utilization = 0.1;
  vi.useFakeTimers();
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, utilization }));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function openUntilFull(budget: PostBudget, onSlow = () => {}): PostSlot[] {
  const slots: PostSlot[] = [];
  while (budget.hasRoom) slots.push(budget.open(onSlow));
  return slots;
}

it('has room again when a slot closes', () => {
  const budget = new PostBudget();
  const [slot] = openUntilFull(budget);
  expect(budget.hasRoom).toBe(false);
  budget.close(slot!);
  expect(budget.hasRoom).toBe(true);
});

it('does not count slots of slow receivers, and reports this once', () => {
  const budget = new PostBudget();
  const onSlow = vi.fn<() => void>();
  const slots = openUntilFull(budget, onSlow);
  vi.advanceTimersByTime(400);
  expect(onSlow).toHaveBeenCalledTimes(slots.length);
  expect(budget.hasRoom).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(onSlow).toHaveBeenCalledTimes(slots.length);
  for (const slot of slots) budget.close(slot);
  expect(openUntilFull(budget)).toHaveLength(slots.length);
});

it('waits longer before it considers a receiver slow while the process is the bottleneck', () => {
  utilization = 0.99;
  const budget = new PostBudget();
  const onSlow = vi.fn<() => void>();
  openUntilFull(budget, onSlow);
  vi.advanceTimersByTime(900);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(onSlow).toHaveBeenCalled();
});

it('counts a slot again when its next post begins', () => {
  const budget = new PostBudget();
  const slots = openUntilFull(budget);
  vi.advanceTimersByTime(2_000);
  for (const slot of slots) budget.renew(slot);
  expect(budget.hasRoom).toBe(false);
  expect(budget.isExceeded).toBe(false);
  budget.open(() => {});
  expect(budget.isExceeded).toBe(true);
});
