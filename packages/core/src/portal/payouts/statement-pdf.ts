import { createRequire } from 'node:module';
import { LongWork } from '@affiliate/postgres';
import type PDFDocument from 'pdfkit';
import type { StatementContent, StatementLine } from './statement.ts';

/** Contains Latin, Greek, Cyrillic and some other scripts. Characters of all other scripts appear as boxes. */
const FONT = 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf';
const MARGIN = 50;
const WIDTH = 595.28 - 2 * MARGIN;
const LAST_ROW = 841.89 - MARGIN - 40;
const ROW = 16;
/** Left edge and width of each column. */
const COLUMNS = {
  date: { x: MARGIN, width: 70 },
  text: { x: MARGIN + 75, width: WIDTH - 75 - 110 },
  amount: { x: MARGIN + WIDTH - 105, width: 105 },
} as const;
/** Maximum number of commissions in a statement. A longer statement refers to the CSV, which has all commissions. */
const MAX_LINES = 2_000;

type Document = InstanceType<typeof PDFDocument>;

/** Formats a statement as PDF, with the same figures as the CSV. The same content yields the same bytes. */
export async function pdfOf(content: StatementContent): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit');
  const { payout, merchant } = content;
  const at = new Date(`${payout.paid_on || payout.created_on}T00:00:00Z`);
  const document = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    font: createRequire(import.meta.url).resolve(FONT),
    bufferPages: true,
    lang: 'en',
    info: { Title: `Statement ${payout.id}`, Author: merchant, CreationDate: at, ModDate: at },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve) => document.on('end', () => resolve()));
  writeHead(document, content);
  const long = new LongWork();
  await writeLines(document, content, long);
  await writePageNumbers(document, long);
  document.end();
  await finished;
  return Buffer.concat(chunks);
}

function writeHead(document: Document, { payout, merchant, affiliate, total, currency }: StatementContent): void {
  document.fontSize(18).text(merchant, { height: 48, ellipsis: true });
  document.fontSize(12).text('Statement of a payout').moveDown();
  document.fontSize(10);
  for (const [label, value] of [
    ['Payout', payout.id],
    ['State', payout.paid_on === '' ? payout.state : `${payout.state}, ${payout.paid_on}`],
    ['Affiliate', affiliate.name === '' ? affiliate.email : `${affiliate.name}, ${affiliate.email}`],
    ['Total', `${total} ${currency}`],
  ] as const) {
    const { y } = document;
    document.text(label, MARGIN, y, { width: 70 });
    document.text(value, COLUMNS.text.x, y, { width: WIDTH - 75, height: 30, ellipsis: true });
  }
  document.moveDown();
}

async function writeLines(document: Document, { lines, total, currency }: StatementContent, long: LongWork): Promise<void> {
  const writeRow = (date: string, text: string, amount: string) => {
    if (document.y > LAST_ROW) document.addPage().fontSize(9);
    const { y } = document;
    const cell = { height: ROW, ellipsis: true, lineBreak: true };
    document.text(date, COLUMNS.date.x, y, { width: COLUMNS.date.width, ...cell });
    document.text(text, COLUMNS.text.x, y, { width: COLUMNS.text.width, ...cell });
    document.text(amount, COLUMNS.amount.x, y, { width: COLUMNS.amount.width, align: 'right', ...cell });
    document.y = y + ROW;
  };
  const rule = () =>
    document
      .moveTo(MARGIN, document.y - 4)
      .lineTo(MARGIN + WIDTH, document.y - 4)
      .lineWidth(0.5)
      .stroke();
  document.fontSize(9);
  writeRow('Date', 'Commission', `Amount (${currency})`);
  rule();
  for (const line of lines.slice(0, MAX_LINES)) {
    await long.letOthersIn();
    writeRow(line.date, subjectOf(line), line.amount);
  }
  const more = lines.length - MAX_LINES;
  if (more > 0) writeRow('', `and ${more} more, listed in the CSV`, '');
  rule();
  writeRow('', 'Total', total);
}

function subjectOf({ kind, customer, description }: StatementLine): string {
  return [kind, customer, description]
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(/\s+/g, ' ');
}

async function writePageNumbers(document: Document, long: LongWork): Promise<void> {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    await long.letOthersIn();
    document.switchToPage(page);
    // The page number is below the margin. Without this, pdfkit would start another page for it.
    document.page.margins.bottom = 0;
    document.fontSize(8).text(`Page ${page + 1} of ${count}`, MARGIN, 841.89 - MARGIN + 10, { width: WIDTH, align: 'right' });
  }
}
