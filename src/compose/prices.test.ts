import { describe, expect, it } from 'vitest';
import { parseModelId } from './modelId';
import { priceOf } from './prices';

const endpoint = (name: string) => ({ name, baseUrl: 'http://127.0.0.1:1/v1', apiKey: null, keyHint: '' });
const of = (id: string) => priceOf(parseModelId(id, [endpoint('openai'), endpoint('lab')]));

describe('priceOf', () => {
  it('is 0 for what runs here, and unknown for servers that nobody knows', () => {
    expect(of('local:qwen2.5-coder-0.5b')).toMatchObject({ inPerMillion: 0, outPerMillion: 0 });
    expect(of('ollama:gemma3:270m')).toMatchObject({ inPerMillion: 0, outPerMillion: 0 });
    expect(of('lab:gpt-4o')).toBeNull();
    expect(of('openai:no-such-model')).toBeNull();
  });
  it('knows a model with and without its date, and never takes one for another', () => {
    expect(of('openai:gpt-4o-mini-2024-07-18')).toEqual(of('openai:gpt-4o-mini'));
    expect(of('openai:gpt-4o-mini')).not.toEqual(of('openai:gpt-4o'));
    expect(of('openai:gpt-4o-audio-preview')).toBeNull();
    expect(of('openai:gpt-4.1')?.asOf).toMatch(/^\d{4}-\d{2}$/);
  });
});
