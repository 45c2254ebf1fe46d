/** OpenAI's files and batches under the test's control: what it does with a batch is said by the test. Loopback only. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BatchRequestLine {
  custom_id: string;
  method: string;
  url: string;
  body: Record<string, unknown> & { seed: number; messages: { content: string }[] };
}

interface Batch {
  id: string;
  input_file_id: string;
  status: string;
  created_at: number;
  output_file_id?: string;
  error_file_id?: string;
  errors?: unknown;
  request_counts: { total: number; completed: number; failed: number };
}

/** How a batch ends: its state, and the lines of its two files. */
export interface Ending {
  status: string;
  output?: (string | object)[];
  errors?: (string | object)[];
  /** Of a batch that was not begun. */
  refusal?: { code: string; message: string };
}

/** Called when a batch is looked at for the nth time (from 0); null: it is still under way. */
export type OnLook = (lines: BatchRequestLine[], nth: number, batchNumber: number) => Ending | null;

export const answered = ({ custom_id, body }: BatchRequestLine, text = `answer ${body.seed % 3}`) => ({
  id: `r-${custom_id}`,
  custom_id,
  error: null,
  response: {
    status_code: 200,
    request_id: 'x',
    body: {
      model: 'm-2026',
      system_fingerprint: 'fp_1',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20, completion_tokens: 2 },
    },
  },
});

export const refusedLine = ({ custom_id }: BatchRequestLine, status: number, error: object) => ({
  custom_id,
  error: null,
  response: { status_code: status, body: { error } },
});

export const endedLine = ({ custom_id }: BatchRequestLine, code = 'batch_expired') => ({
  custom_id,
  response: null,
  error: { code, message: 'This request could not be executed before the completion window expired.' },
});

export const allAnswered: OnLook = (lines) => ({
  status: 'completed',
  output: lines.map((line) => answered(line)),
});

/** `spoil`: answers the nth call of a kind (`POST /files`, …) itself when it returns true; `lost`: it is done, but nobody is told. */
export async function startFakeBatchServer(
  onLook: OnLook,
  spoil: (call: string, nth: number, response: ServerResponse) => boolean | 'lost' = () => false,
) {
  const files = new Map<string, string>();
  const batches: (Batch & { lines: BatchRequestLine[]; looks: number; number: number })[] = [];
  const calls: string[] = [];
  const keep = (lines: (string | object)[] | undefined): string | undefined => {
    if (lines === undefined) return undefined;
    const id = `file-${files.size + 1}`;
    files.set(
      id,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
    return id;
  };
  const shown = ({ lines: _, looks: __, number: ___, ...batch }: (typeof batches)[number]) => batch;
  let look = onLook;

  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (data: Buffer) => chunks.push(data));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://127.0.0.1');
      const to = url.pathname.replace(/^\/v1/, '');
      const call = `${request.method} ${to.replace(/(file|batch)-\d+/, '$1')}`;
      const nth = calls.filter((one) => one === call).length;
      calls.push(call);
      const spoilt = spoil(call, nth, response);
      if (spoilt === true) return;
      const send = (status: number, body: string | object) => {
        if (spoilt === 'lost') return void response.socket?.resetAndDestroy();
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
      const of = batches.find(({ id }) => id === to.split('/')[2]);
      switch (call) {
        case 'GET /models':
          return send(200, { data: [{ id: 'm', owned_by: 'test' }] });
        case 'POST /files': {
          // Multipart: the part with the file name, up to the boundary.
          const text = Buffer.concat(chunks).toString();
          const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')![1]!;
          const part = text.split(`--${boundary}`).find((one) => one.includes('filename='))!;
          const id = `file-${files.size + 1}`;
          files.set(id, part.slice(part.indexOf('\r\n\r\n') + 4).trim());
          return send(200, { id, object: 'file', purpose: /purpose"\r\n\r\n(\w+)/.exec(text)?.[1] });
        }
        case 'POST /batches': {
          const asked = JSON.parse(Buffer.concat(chunks).toString()) as { input_file_id: string };
          const lines = files
            .get(asked.input_file_id)!
            .split('\n')
            .map((line) => JSON.parse(line) as BatchRequestLine);
          const batch = {
            ...asked,
            id: `batch-${batches.length + 1}`,
            status: 'validating',
            created_at: Math.floor(Date.now() / 1000),
            request_counts: { total: lines.length, completed: 0, failed: 0 },
            ...{ lines, looks: 0, number: batches.length },
          };
          batches.push(batch);
          return send(200, shown(batch));
        }
        case 'GET /batches':
          return send(200, { object: 'list', data: batches.map(shown).reverse(), has_more: false });
        case 'GET /batches/batch': {
          if (of === undefined) return send(404, { error: { message: 'no such batch' } });
          const ending = of.output_file_id === undefined ? look(of.lines, of.looks++, of.number) : null;
          if (ending !== null && of.status !== 'cancelled') {
            of.status = ending.status;
            of.output_file_id = keep(ending.output);
            of.error_file_id = keep(ending.errors);
            if (ending.refusal) of.errors = { data: [ending.refusal] };
          }
          return send(200, shown(of));
        }
        case 'POST /batches/batch/cancel':
          of!.status = 'cancelled';
          return send(200, shown(of!));
        case 'GET /files/file/content':
          response.writeHead(200, { 'content-type': 'application/octet-stream' });
          return response.end(files.get(to.split('/')[2]!));
        default:
          return send(404, { error: { message: 'no such address' } });
      }
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    batches,
    calls,
    /** From now on batches end so. */
    becomes(next: OnLook) {
      look = next;
    },
    /** What a cancelled batch had answered until then. */
    leaves(number: number, lines: (string | object)[]) {
      batches[number]!.output_file_id = keep(lines);
    },
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
