/**
 * Rows as CSV (RFC 4180): every field quoted that needs it, lines end with CRLF. A text that a spreadsheet would run as
 * a formula gets an apostrophe before it; numbers stay numbers.
 */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

const NUMBER = /^[+\-\u2212]?\d[\d,]*(\.\d+)?$/;

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (NUMBER.test(value)) return value.replace(/\u2212/, '-').replace(/,/g, '');
  // Spreadsheets look past blank space; tab and carriage return begin a formula of their own.
  const safe = /^[\s\u00a0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
