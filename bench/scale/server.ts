/** An OpenAI-protocol server in a process of its own that answers at once. Prints its address; ends with its parent. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Different answers per prompt. */
const KINDS = 8;

const server = createServer((request, response) => {
  if (request.url?.endsWith('/models')) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: [{ id: 'm', owned_by: 'bench' }] }));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { messages, seed } = JSON.parse(Buffer.concat(chunks).toString()) as {
      messages: { content: string }[];
      seed: number;
    };
    const order = /order (\d+)/i.exec(messages.at(-1)!.content)?.[1] ?? '0';
    const kind = createHash('sha256').update(String(seed)).digest()[0]! % KINDS;
    const content = `Order ${order} is on its way and will arrive in ${kind + 1} days.`;
    const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      event({ model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }) +
        event({ model: 'm', choices: [], usage: { prompt_tokens: 60, completion_tokens: 14 } }) +
        'data: [DONE]\n\n',
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
