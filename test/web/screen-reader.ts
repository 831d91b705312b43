import type { Page } from 'playwright-core';

/** A node of the browser's accessibility tree, as the DevTools protocol describes it. */
interface AxNode {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  value?: { value: string | number };
  properties?: { name: string; value: { value?: unknown } }[];
  childIds?: string[];
}

/** Roles whose name says all that is below them. */
const WHOLE = new Set([
  'button',
  'checkbox',
  'columnheader',
  'heading',
  'image',
  'link',
  'option',
  'textbox',
  'searchbox',
  'combobox',
]);
/** Roles that a screen reader does not mention. */
const SILENT = new Set([
  'generic',
  'none',
  'RootWebArea',
  'paragraph',
  'LabelText',
  'LayoutTable',
  'InlineTextBox',
  'ListMarker',
  'menulistpopup',
]);
/** States that a screen reader adds to a name, if they are set. */
const STATES = ['required', 'disabled', 'readonly', 'expanded', 'checked', 'focused', 'busy'];

/**
 * Returns what a screen reader says of a page from its beginning to its end: one line for each element with role, name, states and description. It is made
 * from the browser's accessibility tree, so it contains only what the browser tells to assistive technology.
 */
export async function spoken(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] };
  await devtools.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  // The text of a label is said with its field.
  const read = (node: AxNode, isLabel = false) => {
    const role = node.role?.value ?? '';
    const isMentioned = !node.ignored && !SILENT.has(role) && !(isLabel && role === 'StaticText');
    if (isMentioned) lines.push(lineOf(node, role));
    if (isMentioned && WHOLE.has(role)) return;
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child) read(child, isLabel || role === 'LabelText');
    }
  };
  if (nodes[0]) read(nodes[0]);
  return lines;
}

function lineOf({ name, description, value, properties = [] }: AxNode, role: string): string {
  const text = name?.value.trim() ?? '';
  if (role === 'StaticText') return text;
  const states = properties.flatMap(({ name: state, value: { value: set } }) => {
    if (state === 'level') return [`level ${String(set)}`];
    if (state === 'invalid') return set === 'false' || set === false ? [] : ['invalid'];
    if (state === 'expanded') return [set === true ? 'expanded' : 'collapsed'];
    if (state === 'checked') return [set === 'true' || set === true ? 'checked' : 'not checked'];
    return STATES.includes(state) && set === true ? [state] : [];
  });
  const parts = [
    text,
    value?.value === undefined || value.value === '' ? '' : `“${value.value}”`,
    ...states,
    description?.value ?? '',
  ];
  return `${role}: ${parts.filter(Boolean).join(', ')}`;
}

/**
 * Starts to note what a screen reader announces by itself on all further pages of a window: alerts, and changes of live regions that were there before. A live
 * region that is added together with its text is not announced by every screen reader, so it does not count.
 */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(`
    window.announced = [];
    const known = new WeakSet();
    const note = (region) => {
      const text = region.textContent.trim();
      if (text !== '' && announced.at(-1) !== text) announced.push(text);
    };
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=status], [role=alert]');
        if (region && known.has(region)) note(region);
      }
      for (const alert of document.querySelectorAll('[role=alert]')) if (!known.has(alert)) note(alert);
      for (const region of document.querySelectorAll('[role=status], [role=alert]')) known.add(region);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  `);
}

/** Returns what was announced since the page was opened. */
export function announced(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('announced');
}

/**
 * Presses Tab until the element with this accessible name has the focus. Throws if it cannot be reached, if the focus is not visible, or if something covers
 * the element.
 */
export async function tabTo(
  page: Page,
  role: 'button' | 'link' | 'textbox' | 'checkbox' | 'combobox',
  name: string | RegExp,
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' });
  for (let press = 0; press < 80; press += 1) {
    await page.keyboard.press('Tab');
    if ((await wanted.count()) === 0) continue;
    const isReached = await wanted.first().evaluate((element) => element.matches(':focus'));
    if (!isReached) continue;
    const fault = await page.evaluate<string>(`(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(element);
      const isField = element.matches('input, select, textarea');
      if (!isField && (outlineStyle === 'none' || outlineWidth === '0px')) return 'has no visible focus';
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 12));
      if (!at || !(element.contains(at) || at.contains(element))) return 'is covered by ' + (at ? at.outerHTML.slice(0, 100) : 'the edge of the window');
      return '';
    })()`);
    if (fault !== '') throw new Error(`${role} ${String(name)} ${fault}`);
    return;
  }
  throw new Error(`${role} ${String(name)} cannot be reached with the Tab key`);
}

/**
 * Returns what the checks of axe leave open: regions and forms without a name, names that two buttons share, tables without headers of rows, and fields whose
 * border does not stand out (3:1).
 */
export function unreachable(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    const nameOf = (element) => (element.getAttribute('aria-label')
      ?? (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim()
      ?? '') || (element.matches('button, a') ? element.textContent.trim() : '');
    const found = all('form, section, nav').filter((element) => nameOf(element) === '').map((element) => 'no name: ' + element.outerHTML.slice(0, 120));
    const buttons = all('button').map(nameOf);
    found.push(...new Set(buttons.filter((name, at) => buttons.indexOf(name) !== at).map((name) => 'two buttons are called ' + name)));
    const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
    const luminance = (color) => {
      const [red, green, blue] = channels(color).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element) => {
      for (let each = element.parentElement; each; each = each.parentElement) {
        const { backgroundColor } = getComputedStyle(each);
        if ((channels(backgroundColor)[3] ?? 1) === 1) return backgroundColor;
      }
      return matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
    };
    for (const field of all('select, textarea, input:is([type=text], [type=email], [type=search], [type=url], [type=password])')) {
      const [light, dark] = [getComputedStyle(field).borderTopColor, behind(field)].map(luminance).sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (!(ratio >= 3)) found.push('faint border, ' + ratio.toFixed(1) + ' : 1, of ' + (field.name || nameOf(field) || field.id));
    }
    for (const row of all('tbody tr')) if (!row.querySelector('th[scope=row]')) found.push('no header of a row: ' + row.textContent.slice(0, 60));
    return found;
  })()`);
}
