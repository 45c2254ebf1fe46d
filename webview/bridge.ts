/** How the page talks to whoever shows it: the editor, or the data inside an exported file. */
import { PROTOCOL_VERSION } from '../src/contracts/protocolVersion';
import type {
  HostMessage,
  PageMessage,
  PageState,
  Problem,
  RequestMethod,
  RequestParams,
  RequestResult,
} from '../src/contracts/webviewProtocol';
import { fitsQuery, searchable, type SearchableSample } from '../src/contracts/sampleQuery';
import type { EmbeddedReport } from '../src/report/html';

export interface Bridge {
  /** `file`: nobody to save, reveal or cancel. */
  readonly kind: 'editor' | 'file';
  /** Rejects with a `Problem`. */
  request<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<RequestResult<M>>;
  readState(): PageState | null;
  writeState(state: PageState): void;
}

interface VsCodeApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare const acquireVsCodeApi: (() => VsCodeApi) | undefined;

type Snapshot = Exclude<HostMessage, { type: 'reply' } | { type: 'failure' }>;

/** Shakes hands with the host; `onSnapshot` is called for everything that it wants shown. */
export function connect(onSnapshot: (message: Snapshot) => void): Bridge {
  const bridge =
    typeof acquireVsCodeApi === 'function' ? editorBridge(acquireVsCodeApi(), onSnapshot) : fileBridge();
  if (bridge.kind === 'file') {
    const data = embeddedReport();
    onSnapshot(data?.message ?? { type: 'empty' });
    return bridge;
  }
  bridge
    .request('ready', { protocol: PROTOCOL_VERSION, runId: bridge.readState()?.runId ?? null })
    .then(({ protocol }) => {
      if (protocol !== PROTOCOL_VERSION) onSnapshot({ type: 'problem', error: otherVersion });
    })
    .catch((error: Problem) => onSnapshot({ type: 'problem', error }));
  return bridge;
}

const otherVersion: Problem = {
  code: 'internal',
  message: 'This report page and the extension are of different versions.',
  hint: 'Close the report, reload the window, and open the report again.',
};

function editorBridge(api: VsCodeApi, onSnapshot: (message: Snapshot) => void): Bridge {
  const waiting = new Map<
    number,
    { resolve: (result: unknown) => void; reject: (problem: Problem) => void }
  >();
  let lastId = 0;
  window.addEventListener('message', (event: MessageEvent<HostMessage>) => {
    const message = event.data;
    if (typeof message !== 'object' || message === null) return;
    if (message.type !== 'reply' && message.type !== 'failure') {
      onSnapshot(message);
      return;
    }
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'reply') request?.resolve(message.result);
    else request?.reject(message.error);
  });
  return {
    kind: 'editor',
    request: <M extends RequestMethod>(method: M, params: RequestParams<M>) =>
      new Promise<RequestResult<M>>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve: (result) => resolve(result as RequestResult<M>), reject });
        api.postMessage({ type: 'request', id, method, params });
      }),
    readState: () => (api.getState() as PageState | null | undefined) ?? null,
    writeState: (state) => api.setState(state),
  };
}

function embeddedReport(): EmbeddedReport | null {
  const text = document.getElementById('evenkeel-data')?.textContent;
  return text ? (JSON.parse(text) as EmbeddedReport) : null;
}

function fileBridge(): Bridge {
  const embedded = embeddedReport();
  const samplesOf = embedded?.samples ?? {};
  const conditions = embedded?.message.type === 'show' ? embedded.message.view.conditions : [];
  let all: SearchableSample[] | null = null;
  const answer = async (method: RequestMethod, params: unknown): Promise<unknown> => {
    if (method === 'samples') {
      const { conditionId, offset, limit } = params as RequestParams<'samples'>;
      const all = samplesOf[conditionId] ?? [];
      return { total: all.length, samples: all.slice(offset, offset + limit) };
    }
    if (method === 'browse') {
      const { offset, limit, ...query } = params as RequestParams<'browse'>;
      all ??= conditions.flatMap(({ id }) => (samplesOf[id] ?? []).map(searchable));
      const found = all.filter((sample) => fitsQuery(sample, query));
      return { total: found.length, samples: found.slice(offset, offset + limit).map((each) => each.view) };
    }
    if (method === 'copy') {
      await navigator.clipboard.writeText((params as RequestParams<'copy'>).text);
      return { copied: true };
    }
    const problem: Problem = {
      code: 'usage',
      message: 'A saved report cannot do that.',
      hint: 'Open the run in the editor.',
    };
    throw problem;
  };
  return {
    kind: 'file',
    request: <M extends RequestMethod>(method: M, params: RequestParams<M>) =>
      answer(method, params) as Promise<RequestResult<M>>,
    readState: () => null,
    writeState: () => undefined,
  };
}
