import { expect, test } from 'vitest';
import { UserError } from '../contracts/userError';
import { answerPage, type PageHandlers } from './pageHost';

const handlers: PageHandlers = {
  ready: () => ({ protocol: 1 }),
  samples: ({ offset }) => ({ total: offset, samples: [] }),
  browse: () => ({ total: 0, samples: [] }),
  reveal: () => {
    throw new UserError('fileNotFound', 'The file is gone.', 'Open another.');
  },
  export: () => Promise.reject(new Error('disk')),
  copy: () => ({ copied: true }),
  cancel: () => ({ cancelled: true }),
};
const ask = (method: string, params: unknown) =>
  answerPage({ type: 'request', id: 3, method, params }, handlers);

test('a valid request gets one reply', async () => {
  expect(await ask('samples', { conditionId: 'c', offset: 7, limit: 5 })).toEqual({
    type: 'reply',
    id: 3,
    result: { total: 7, samples: [] },
  });
});

test('wrong parameters never reach a handler', async () => {
  for (const limit of [0, 501, 'all']) {
    expect(await ask('samples', { conditionId: 'c', offset: 0, limit })).toMatchObject({
      type: 'failure',
      id: 3,
    });
  }
  expect(await ask('copy', { text: 'x'.repeat(1_000_001) })).toMatchObject({ type: 'failure' });
});

test('what is no request is not answered', async () => {
  for (const message of [
    null,
    'hello',
    { type: 'request' },
    { type: 'request', id: 1, method: 'toString', params: {} },
  ]) {
    expect(await answerPage(message, handlers)).toBeNull();
  }
});

test('errors become failures with a next step', async () => {
  expect(await ask('reveal', { span: { start: 0, end: 1 } })).toMatchObject({
    type: 'failure',
    error: { code: 'fileNotFound', hint: 'Open another.' },
  });
  expect(await ask('export', { format: 'html' })).toMatchObject({
    type: 'failure',
    error: { code: 'internal' },
  });
});
