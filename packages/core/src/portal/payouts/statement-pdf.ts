import { createRequire } from 'node:module';
import { LongWork } from '@affiliate/postgres';
import type PDFDocument from 'pdfkit';
import { KIND_WORDS } from '../../ledger/commissions/kind-words.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { STATE_WORDS } from '../../platform/texts/enum-words.ts';
import type { Language, Texts } from '../../platform/texts/texts.ts';
import { drawable, FIRST_FONT, type FontOf, hasLeftward, Line, openFonts, WIDER, wrap } from '../typesetting/lines.ts';
import type { StatementContent, StatementLine } from './statement.ts';

export const STATEMENT_TEXTS = {
  statement: {
    title: { en: 'Statement of a payout', de: 'Abrechnung einer Auszahlung' },
    document: { en: 'Statement {id}', de: 'Abrechnung {id}' },
    payout: { en: 'Number', de: 'Nummer' },
    period: { en: 'Period', de: 'Zeitraum' },
    days: { en: '{from} to {until}', de: '{from} bis {until}' },
    state: { en: 'State', de: 'Stand' },
    affiliate: { en: 'Affiliate', de: 'Partner' },
    total: { en: 'Total', de: 'Summe' },
    date: { en: 'Date', de: 'Datum' },
    commission: { en: 'Commission', de: 'Provision' },
    amount: { en: 'Amount ({currency})', de: 'Betrag ({currency})' },
    more: { en: 'and {count} more, listed in the CSV', de: 'und {count} weitere, die in der CSV stehen' },
    page: { en: 'Page {page} of {count}', de: 'Seite {page} von {count}' },
    throughSource: { en: 'through {source}', de: 'über {source}' },
  },
  kinds: {
    ...KIND_WORDS,
    manual: { en: 'manual', de: 'von Hand' },
    imported: { en: 'imported', de: 'übernommen' },
  },
  states: STATE_WORDS,
} as const satisfies Texts;

const t = STATEMENT_TEXTS.statement;

/** Parts of the size of a text. */
const LINE_HEIGHT = 1.17;
const ASCENT = 0.93;
const MARGIN = 50;
const WIDTH = 595.28 - 2 * MARGIN;
const LAST_ROW = 841.89 - MARGIN - 40;
const ROW = 16;
/** Height of an explanation of at most two lines. */
const EXPLANATION = 20;
/** Left edge and width of each column. */
const COLUMNS = {
  date: { x: MARGIN, width: 70 },
  text: { x: MARGIN + 75, width: WIDTH - 75 - 110 },
  amount: { x: MARGIN + WIDTH - 105, width: 105 },
} as const;
/** Maximum number of commissions in a statement. A longer statement refers to the CSV, which has all commissions. */
const MAX_LINES = 2_000;

type Document = InstanceType<typeof PDFDocument>;

/**
 * Formats a statement as PDF, with the same figures as the CSV. The same content yields the same bytes. Characters that no font has, e.g. most emoji, are left
 * out.
 */
export async function pdfOf(content: StatementContent): Promise<Buffer> {
  const [{ default: PdfDocument }, fontOf] = await Promise.all([import('pdfkit'), openFonts(JSON.stringify(content))]);
  const { payout, language } = content;
  const say = inLanguage(language);
  const at = new Date(`${payout.paid_on || payout.created_on}T00:00:00Z`);
  const document = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    font: createRequire(import.meta.url).resolve(FIRST_FONT),
    bufferPages: true,
    // Tagged, so that screen readers know headings and the table.
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: { Title: say(t.document, { id: payout.id }), Author: content.merchant.name, CreationDate: at, ModDate: at },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve) => document.on('end', () => resolve()));
  const root = document.struct('Document');
  document.addStructure(root);
  const pen = new Pen(document, fontOf);
  writeHead(document, pen, root, content);
  const long = new LongWork();
  await writeLines(document, pen, root, content, long);
  root.end();
  await writePageNumbers(document, say, long);
  document.end();
  await finished;
  return Buffer.concat(chunks);
}

type Element = ReturnType<Document['struct']>;

/** Writes an element of the structure that screen readers read. */
function add(document: Document, parent: Element, type: string, write: () => void): void {
  parent.add(document.struct(type, {}, write));
}

/** How a text is written. Text that does not fit ends with an ellipsis. */
interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
  color?: string;
}

/**
 * Writes what people have entered, which may be in any script. The document's font is embedded. Lines that need another font, or that are written from right to
 * left, are drawn as outlines, with their text for screen readers and search.
 */
class Pen {
  readonly #document: Document;
  readonly #fontOf: FontOf;
  readonly #own: ReturnType<FontOf>;

  constructor(document: Document, fontOf: FontOf) {
    this.#document = document;
    this.#fontOf = fontOf;
    this.#own = fontOf('A');
  }

  write(given: string, { x, y, width, height, size, color = 'black' }: Place): void {
    const document = this.#document;
    const paragraphs = given.split('\n').map((each) => drawable(each, this.#fontOf));
    const text = paragraphs.join('\n');
    document.fontSize(size).fillColor(color);
    if (!hasLeftward(text) && Array.from(paragraphs.join('')).every((each) => this.#fontOf(each) === this.#own)) {
      document.text(text, x, y, { width, height, ellipsis: true, lineBreak: true });
      return;
    }
    const lineHeight = size * LINE_HEIGHT;
    const most = Math.max(1, Math.floor(height / lineHeight));
    const widthOf = (line: string) => new Line(line, size, this.#fontOf).width;
    const lines = paragraphs.flatMap((paragraph) => wrap(paragraph, most, { width, widthOf }).lines);
    document.markContent('Span', { actual: text });
    for (const [index, words] of lines.slice(0, most).entries())
      this.#draw(new Line(words, size, this.#fontOf), { x, width, color, baseline: y + index * lineHeight + size * ASCENT });
    document.endMarkedContent();
    document.x = x;
    document.y = y + Math.min(lines.length, most) * lineHeight;
  }

  #draw(line: Line, { x: left, width, color, baseline }: { x: number; width: number; color: string; baseline: number }): void {
    let x = line.isLeftward ? left + width - line.width : left;
    for (const { glyph, position, scale, isThin } of line.glyphs) {
      const at = [x + position.xOffset * scale, baseline - position.yOffset * scale] as const;
      this.#document
        .save()
        .transform(scale, 0, 0, -scale, ...at)
        .path(glyph.path.toSVG())
        .lineWidth((2 * line.size * WIDER) / scale);
      if (isThin) this.#document.fillAndStroke(color, color);
      else this.#document.fill(color);
      this.#document.restore();
      x += position.xAdvance * scale;
    }
  }
}

function writeHead(document: Document, pen: Pen, root: Element, content: StatementContent): void {
  const { payout, payment, merchant, affiliate, period, total, currency, language } = content;
  const say = inLanguage(language);
  const state = say(STATEMENT_TEXTS.states[payout.state]);
  const below = (size: number, height: number): Place => ({ x: MARGIN, y: document.y, width: WIDTH, height, size });
  add(document, root, 'H1', () => pen.write(merchant.name, below(18, 48)));
  if (merchant.details !== '') add(document, root, 'P', () => pen.write(merchant.details, below(9, 90)));
  add(document, root, 'H2', () => document.fontSize(12).text(say(t.title)).moveDown());
  document.fontSize(10);
  for (const [label, value] of [
    [say(t.payout), payout.id],
    [say(t.state), payment === '' ? state : `${state}. ${payment}`],
    [say(t.period), period.from === '' ? '' : say(t.days, period)],
    [say(t.affiliate), affiliate.name === '' ? affiliate.email : `${affiliate.name}, ${affiliate.email}`],
    ['', affiliate.details],
    [say(t.total), `${total} ${currency}`],
  ] as const) {
    if (value === '') continue;
    const { y } = document;
    add(document, root, 'P', () => {
      document.text(label, MARGIN, y, { width: 70 });
      pen.write(value, { x: COLUMNS.text.x, y: label === '' ? document.y : y, width: WIDTH - 75, height: 90, size: 10 });
    });
  }
  document.moveDown();
}

async function writeLines(
  document: Document,
  pen: Pen,
  root: Element,
  { lines, total, currency, language }: StatementContent,
  long: LongWork,
): Promise<void> {
  const say = inLanguage(language);
  const table = document.struct('Table');
  root.add(table);
  const writeRow = (date: string, text: string, amount: string, explanation = '', cellType = 'TD') => {
    if (document.y + (explanation === '' ? 0 : EXPLANATION) > LAST_ROW) document.addPage().fontSize(9);
    const { y } = document;
    const cell = { height: ROW, ellipsis: true, lineBreak: true };
    const row = document.struct('TR');
    table.add(row);
    add(document, row, cellType, () => document.text(date, COLUMNS.date.x, y, { width: COLUMNS.date.width, ...cell }));
    add(document, row, cellType, () => {
      const { x, width } = COLUMNS.text;
      pen.write(text, { x, y, width, height: ROW, size: 9 });
      if (explanation === '') return;
      pen.write(explanation, { x, y: y + ROW - 4, width, height: EXPLANATION, size: 7, color: '#555555' });
      document.fontSize(9).fillColor('black');
    });
    add(document, row, cellType, () =>
      document.text(amount, COLUMNS.amount.x, y, { width: COLUMNS.amount.width, align: 'right', ...cell }),
    );
    row.end();
    document.y = y + ROW + (explanation === '' ? 0 : EXPLANATION);
  };
  const rule = () => {
    document.markContent('Artifact', { type: 'Layout' });
    document
      .moveTo(MARGIN, document.y - 4)
      .lineTo(MARGIN + WIDTH, document.y - 4)
      .lineWidth(0.5)
      .stroke();
    document.endMarkedContent();
  };
  document.fontSize(9);
  writeRow(say(t.date), say(t.commission), say(t.amount, { currency }), '', 'TH');
  rule();
  for (const line of lines.slice(0, MAX_LINES)) {
    await long.letOthersIn();
    writeRow(line.date, subjectOf(line, language), line.amount, line.explanation);
  }
  const more = lines.length - MAX_LINES;
  if (more > 0) writeRow('', say(t.more, { count: more }), '');
  rule();
  writeRow('', say(t.total), total);
  table.end();
}

function subjectOf({ kind, customer, description, source }: StatementLine, language: Language): string {
  const say = inLanguage(language);
  return [say(STATEMENT_TEXTS.kinds[kind]), customer, description, source === '' ? '' : say(t.throughSource, { source })]
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(/\s+/g, ' ');
}

async function writePageNumbers(document: Document, say: ReturnType<typeof inLanguage>, long: LongWork): Promise<void> {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    await long.letOthersIn();
    document.switchToPage(page);
    // The page number is below the margin. Without this, pdfkit would start another page for it.
    document.page.margins.bottom = 0;
    document.markContent('Artifact', { type: 'Pagination' });
    document
      .fontSize(8)
      .text(say(t.page, { page: page + 1, count }), MARGIN, 841.89 - MARGIN + 10, { width: WIDTH, align: 'right' });
    document.endMarkedContent();
  }
}
