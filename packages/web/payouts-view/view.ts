import { decimalAmount, minorUnitDigits } from '@affiliate/core/browser';
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import { isLocale } from '../src/texts/locale.ts';
import { type Host, type ToolReply, connectToHost, reportHeight } from './host.ts';
import {
  type Change,
  type Payout,
  type PayoutPage,
  type PreviewedChange,
  carryOut,
  loadPage,
  pageOf,
  preview,
} from './payouts.ts';
import { type TextName, isTextName, textIn } from './texts.ts';

let locale = isLocale(navigator.language) ? navigator.language : 'en';
let host: Host | null = null;
/** Arguments of the assistant's call. */
let given: Readonly<Record<string, unknown>> = { action: 'list' };
let page: PayoutPage | null = null;
/** The change that waits for the user's confirmation. */
let asked: PreviewedChange | null = null;
let isBusy = false;
/** The last event. */
let notice: { text: string; isError: boolean } | null = null;
/** The changes that the user made in this view, for the assistant. */
const made: string[] = [];

const t = (name: TextName, values: Readonly<Record<string, string | number>> = {}) => textIn(locale, name, values);

/** Creates an element. Texts of records are set as text, so that they cannot become HTML. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

function nameOf({ affiliate, affiliate_id }: Payout): string {
  const name = [affiliate?.first_name, affiliate?.last_name].filter(Boolean).join(' ');
  return name || (affiliate?.email ?? affiliate_id);
}

function amountOf({ amount_cents, currency }: Pick<Payout, 'amount_cents' | 'currency'>): string {
  const digits = minorUnitDigits(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimalAmount(amount_cents, currency) as Intl.StringNumericLiteral);
}

function valuesOf(payout: Payout) {
  return { name: nameOf(payout), amount: amountOf(payout) };
}

/** Returns the changes that can be made. A held payout must be released before it can be paid here. */
function changesOf({ state, amount_cents, affiliate, ineligible_reasons }: Payout): Change['kind'][] {
  if (!host?.capabilities.serverTools || (state !== 'pending' && state !== 'due')) return [];
  if (ineligible_reasons.includes('on_hold')) return ['release'];
  return [...(amount_cents > 0 ? ['pay' as const] : []), ...(affiliate?.state === 'active' ? ['hold' as const] : [])];
}

function button(text: string, label: string, onClick: () => Promise<void> | void, kind = ''): HTMLButtonElement {
  const created = element('button', { type: 'button', class: kind, 'aria-label': label }, text);
  created.disabled = isBusy;
  created.addEventListener('click', () => void onClick());
  return created;
}

function statesOf({ state, ineligible_reasons, livemode }: Payout): string {
  const names = [state, ...ineligible_reasons, ...(livemode ? [] : ['test_mode'])];
  return names.map((name) => (isTextName(name) ? t(name) : name)).join(' · ');
}

function rowOf(payout: Payout): HTMLTableRowElement {
  const subject = t('amountTo', valuesOf(payout));
  const actions = changesOf(payout).map((kind) =>
    button(t(kind), `${t(kind)}: ${subject}`, () => ask({ kind, payout }), kind === 'pay' ? 'primary' : ''),
  );
  return element(
    'tr',
    { 'data-id': payout.id },
    element('th', { scope: 'row' }, nameOf(payout)),
    element('td', { class: 'number' }, amountOf(payout)),
    element('td', { class: 'number' }, payout.commissions_count.toLocaleString(locale)),
    element('td', {}, statesOf(payout)),
    element('td', { class: 'actions' }, ...actions),
  );
}

const QUESTIONS = { pay: 'confirmPay', hold: 'confirmHold', release: 'confirmRelease' } as const;
const DONE = { pay: 'donePay', hold: 'doneHold', release: 'doneRelease' } as const;

function questionOf(change: PreviewedChange): HTMLTableRowElement {
  const { kind, payout, amount_cents } = change;
  const text = t(QUESTIONS[kind], valuesOf({ ...payout, amount_cents }));
  return element(
    'tr',
    { class: 'question' },
    element(
      'td',
      { colspan: '5' },
      element(
        'div',
        { role: 'group', 'aria-labelledby': 'question' },
        element('p', { id: 'question', tabindex: '-1' }, text),
        button(t(kind), t(kind), () => confirm(change), 'primary'),
        button(t('cancel'), t('cancel'), cancel),
      ),
    ),
  );
}

function tableOf({ payouts }: PayoutPage): HTMLElement {
  const headers = (['affiliate', 'amount', 'commissions', 'state', 'actions'] as const).map((name) =>
    element('th', { scope: 'col', class: name === 'amount' || name === 'commissions' ? 'number' : '' }, t(name)),
  );
  const rows = payouts.flatMap((payout) => [rowOf(payout), ...(asked?.payout.id === payout.id ? [questionOf(asked)] : [])]);
  return element(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': t('payouts'), tabindex: '0' },
    element('table', {}, element('thead', {}, element('tr', {}, ...headers)), element('tbody', {}, ...rows)),
  );
}

function contentOf(): Node[] {
  if (page === null) return notice === null ? [element('p', {}, t('loading'))] : [];
  if (page.payouts.length === 0) return [element('p', {}, t('none'))];
  const { payouts, total, cursor } = page;
  return [
    tableOf(page),
    element(
      'p',
      { class: 'foot' },
      `${t('shown', { shown: payouts.length, total })} `,
      ...(cursor !== null && host?.capabilities.serverTools ? [button(t('more'), t('more'), () => more(cursor))] : []),
    ),
  ];
}

/** Shows the present state. */
function show(): void {
  document.documentElement.lang = locale;
  document.title = t('payouts');
  const main = document.querySelector('main')!;
  const status = document.querySelector<HTMLElement>('#status')!;
  main.setAttribute('aria-busy', String(isBusy));
  main.querySelector('h1')!.textContent = t('payouts');
  status.textContent = notice?.text ?? '';
  status.className = notice?.isError ? 'error' : '';
  main.querySelector('#content')!.replaceChildren(...contentOf());
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

/** Does work while the buttons are disabled. An error is shown in its place. */
async function busy(work: () => Promise<void>): Promise<void> {
  isBusy = true;
  notice = null;
  show();
  try {
    await work();
  } catch (error) {
    notice = { text: error instanceof Error ? error.message : String(error), isError: true };
  }
  isBusy = false;
  show();
}

async function ask(change: Change): Promise<void> {
  await busy(async () => {
    asked = null;
    asked = await preview(host!, change);
  });
  focus(asked === null ? '#status' : '#question');
}

function cancel(): void {
  const { payout } = asked!;
  asked = null;
  show();
  focus(`[data-id="${CSS.escape(payout.id)}"] button`);
}

async function confirm(change: PreviewedChange): Promise<void> {
  const { kind, payout, amount_cents } = change;
  await busy(async () => {
    try {
      await carryOut(host!, change);
    } finally {
      // A refused change may have been refused because the payout has changed.
      await reload(kind === 'pay' ? [payout] : page!.payouts.filter(({ affiliate_id }) => affiliate_id === payout.affiliate_id));
    }
    asked = null;
    notice = { text: t(DONE[kind], valuesOf({ ...payout, amount_cents })), isError: false };
    tellAssistant(change);
  });
  asked = null;
  show();
  focus('#status');
}

/** Loads payouts again, and keeps the others. */
async function reload(changed: readonly Payout[]): Promise<void> {
  const loaded = await Promise.all(changed.map(({ id }) => loadPage(host!, { action: 'get', id })));
  const fresh = new Map(loaded.flatMap(({ payouts }) => payouts).map((payout) => [payout.id, payout]));
  page = { ...page!, payouts: page!.payouts.map((payout) => fresh.get(payout.id) ?? payout) };
}

/** Adds the user's changes to the context of the assistant, which does not see the calls of the view. */
function tellAssistant({ kind, payout }: Change): void {
  const acts = {
    pay: `marked payout ${payout.id} as paid`,
    hold: `set affiliate ${payout.affiliate_id} to suspicious, which holds the payouts`,
    release: `set affiliate ${payout.affiliate_id} to active again`,
  };
  made.push(acts[kind]);
  if (!host!.capabilities.updateModelContext) return;
  const text = `In the table of payouts, the user ${made.join('; then ')}.`;
  // The change has happened. The assistant can also learn about it from the records.
  host!.request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined);
}

async function more(cursor: string): Promise<void> {
  await busy(async () => {
    const next = await loadPage(host!, given, cursor);
    page = { ...next, payouts: [...page!.payouts, ...next.payouts] };
  });
  focus('#status');
}

async function receive(reply: ToolReply): Promise<void> {
  await busy(async () => {
    page = pageOf(reply);
    show();
    if (host?.capabilities.serverTools && page.payouts.length > 0) page = await loadPage(host, given);
  });
}

/** Applies the host's language, color scheme, colors and fonts. */
function wear({ theme, styles, locale: tag }: McpUiHostContext): void {
  const { style } = document.documentElement;
  if (tag !== undefined && isLocale(tag)) locale = tag;
  if (theme !== undefined) style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) if (value) style.setProperty(name, value);
  show();
}

/** Replies may arrive before `host` is set, because messages of the host follow each other at once. */
const connected = Promise.withResolvers<void>();

async function start(): Promise<void> {
  host = await connectToHost({
    onToolInput: (input) => (given = input),
    onToolResult: (reply) => void connected.promise.then(() => receive(reply)),
    onToolCanceled: () => {
      notice = { text: t('canceled'), isError: true };
      show();
    },
    onContext: wear,
  });
  reportHeight(host);
  connected.resolve();
}

show();
start().catch((error: unknown) => {
  notice = { text: String(error), isError: true };
  show();
});
