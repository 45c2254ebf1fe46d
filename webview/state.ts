/** All that the page remembers. Snapshots of the host come in through `show`; the rest is what the reader opened. */
import { signal } from '@preact/signals';
import type { CompareView } from '../src/contracts/compareView';
import type { FlipsView } from '../src/contracts/flipsView';
import type { ProgressView, ReportView } from '../src/contracts/reportView';
import type { HostMessage, Problem, SampleQuery } from '../src/contracts/webviewProtocol';
import { connect, type Bridge } from './bridge';

type Screen =
  | { kind: 'waiting' }
  | { kind: 'empty' }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'progress'; progress: ProgressView }
  | { kind: 'report'; view: ReportView }
  | { kind: 'flips'; view: FlipsView }
  | { kind: 'compare'; view: CompareView };

export const screen = signal<Screen>({ kind: 'waiting' });
/** The perturbation whose details are open. */
export const selected = signal<string | null>(null);
export const openSections = signal<ReadonlySet<string>>(new Set());
/** What the sample browser looks for. */
const everything: SampleQuery = { conditionId: null, outcome: null, answer: null, search: '' };
export const query = signal<SampleQuery>(everything);
/** Start of the stretch of the prompt whose changes are open; null for none. */
export const openPiece = signal<number | null>(null);
/** The reader comes back to a place further down: all must stand before it can be shown. */
export const restoring = signal(false);
/** The last thing that was done or failed, for the status line. */
export const notice = signal('');

const queued: HostMessage[] = [];
let ready = false;
export const bridge: Bridge = connect((message) => {
  // The file's data arrives before `bridge` is assigned.
  if (ready) receive(message);
  else queued.push(message);
});
ready = true;
for (const message of queued) receive(message);

function receive(message: HostMessage): void {
  switch (message.type) {
    case 'show':
      showReport(message.view);
      break;
    case 'showFlips':
      showSheet({ kind: 'flips', view: message.view });
      break;
    case 'showCompare':
      showSheet({ kind: 'compare', view: message.view });
      break;
    case 'progress':
      screen.value = { kind: 'progress', progress: message.progress };
      break;
    case 'problem':
      screen.value = { kind: 'problem', problem: message.error };
      break;
    case 'empty':
      screen.value = { kind: 'empty' };
      break;
    case 'reply':
    case 'failure':
      break;
  }
}

function showReport(view: ReportView): void {
  const previous = screen.value;
  const same = previous.kind === 'report' && previous.view.runId === view.runId;
  const kept = bridge.readState();
  if (!same) {
    const restored = kept?.runId === view.runId ? kept : null;
    const mostMoved = view.comparisons.find(({ verdict }) => verdict === 'changed');
    selected.value = restored ? restored.selected : (mostMoved?.perturbationId ?? null);
    openSections.value = new Set(restored?.openSections ?? []);
    query.value = restored?.query ?? everything;
    openPiece.value = restored?.openPiece ?? null;
    restoring.value = restored !== null && restored.scrollY > 0;
    if (restored) requestAnimationFrame(() => window.scrollTo(0, restored.scrollY));
  }
  screen.value = { kind: 'report', view };
  keepState();
}

function showSheet(sheet: Extract<Screen, { kind: 'flips' | 'compare' }>): void {
  const kept = bridge.readState();
  if (kept?.runId === sheet.view.runId) {
    openSections.value = new Set(kept.openSections);
    requestAnimationFrame(() => window.scrollTo(0, kept.scrollY));
  } else openSections.value = new Set();
  screen.value = sheet;
  keepState();
}

/** Writes what the reader opened to the host's keeping. */
export function keepState(): void {
  const now = screen.value;
  bridge.writeState({
    runId: 'view' in now ? now.view.runId : null,
    selected: selected.value,
    openSections: [...openSections.value],
    query: query.value,
    openPiece: openPiece.value,
    scrollY: window.scrollY,
  });
}

export function toggleSelected(perturbationId: string): void {
  selected.value = selected.value === perturbationId ? null : perturbationId;
  keepState();
}

/** Opens the details of a perturbation and moves the focus to its row. */
export function goTo(perturbationId: string): void {
  selected.value = perturbationId;
  keepState();
  requestAnimationFrame(() => document.getElementById(rowId(perturbationId))?.focus());
}

export function setQuery(next: SampleQuery): void {
  query.value = next;
  keepState();
}

export function togglePiece(start: number): void {
  openPiece.value = openPiece.value === start ? null : start;
  keepState();
}

export const rowId = (perturbationId: string) => `row-${perturbationId}`;

export function setOpen(section: string, open: boolean): void {
  if (openSections.value.has(section) === open) return;
  const next = new Set(openSections.value);
  if (open) next.add(section);
  else next.delete(section);
  openSections.value = next;
  keepState();
}

/** Runs a request whose outcome goes to the status line. */
export async function attempt<T>(work: Promise<T>, done: (result: T) => string): Promise<void> {
  try {
    notice.value = done(await work);
  } catch (error) {
    const problem = error as Partial<Problem>;
    notice.value = `${problem.message ?? 'That did not work.'} ${problem.hint ?? ''}`.trim();
  }
}
