import { describe, expect, it } from 'vitest';
import { addressFault, nameFault } from './endpointFaults';

describe('a server that is added by hand', () => {
  it.each(['lab', 'my-server.2', 'openai'])('may be called %s', (name) => expect(nameFault(name)).toBeNull());
  it.each(['', 'a b', '-x', 'x:y', 'local', 'Ollama', 'vscode', 'ü'])('may not be called %j', (name) =>
    expect(nameFault(name)).not.toBeNull(),
  );
  it.each(['http://127.0.0.1:8000/v1', 'https://example.org/v1'])('may stand at %s', (address) =>
    expect(addressFault(address)).toBeNull(),
  );
  it.each([
    '',
    '127.0.0.1:8000',
    'ftp://example.org',
    'file:///etc/passwd',
    'http://me:secret@example.org/v1',
    'http://example.org/v1?key=secret',
    'http://example.org/v1#x',
  ])('may not stand at %j', (address) => expect(addressFault(address)).not.toBeNull());
});
