import { expect, it } from 'vitest';
import type { ModelIdentity } from '../contracts/runRecord';
import { judgeWarnings } from './judgeWarnings';

const judge = (more: Partial<ModelIdentity> = {}): ModelIdentity => ({
  id: 'ollama:llama3.1:8b',
  provider: 'ollama',
  resolved: 'llama3.1:8b',
  digest: 'aa',
  baseUrl: null,
  parameterSize: '8.0B',
  quantization: null,
  contextLength: null,
  runtime: null,
  ...more,
});
const nobody = { writer: null, underTest: null };

it.each([
  ['a large judge of its own', judge(), nobody, []],
  ['the writer', judge(), { ...nobody, writer: { id: 'ollama:llama3.1:8b' } }, [/rates its own work/]],
  [
    'the writer under another name',
    judge(),
    { ...nobody, writer: { id: 'x', digest: 'aa' } },
    [/rates its own work/],
  ],
  [
    'the model under test',
    judge(),
    { ...nobody, underTest: { id: 'ollama:llama3.1:8b' } },
    [/is the model under test/],
  ],
  ['no digests are no match', judge({ digest: null }), { ...nobody, writer: { id: 'x', digest: null } }, []],
  [
    'a tiny one',
    judge({ parameterSize: '134.52M' }),
    nobody,
    [/134\.52M parameters is no judge.*not to be trusted/],
  ],
  ['a small one in process', judge({ provider: 'local', parameterSize: '0.5B' }), nobody, [/no judge/]],
  [
    'one in process of unknown size',
    judge({ provider: 'local', parameterSize: null }),
    nobody,
    [/runs in process is no judge/],
  ],
  ['a hosted one of unknown size', judge({ provider: 'openai', parameterSize: null }), nobody, []],
  ['a mixture', judge({ parameterSize: '8x7B' }), nobody, []],
  [
    'all of it',
    judge({ parameterSize: '270M' }),
    { writer: { id: 'ollama:llama3.1:8b' }, underTest: { id: 'ollama:llama3.1:8b' } },
    [/own work/, /under test/, /no judge/],
  ],
])('%s', (_name, identity, others, expected) => {
  const warnings = judgeWarnings(identity, others);
  expect(warnings).toHaveLength(expected.length);
  expected.forEach((words, i) => expect(warnings[i]).toMatch(words));
});
