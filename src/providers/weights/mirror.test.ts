import { describe, expect, it } from 'vitest';
import { UserError } from '../../contracts/userError';
import { mirrorSource } from './mirror';

describe('a mirror of model weights', () => {
  it.each([
    ['https://models.example.org/evenkeel', 'https://models.example.org/evenkeel/a%20b.gguf'],
    ['https://models.example.org/evenkeel/', 'https://models.example.org/evenkeel/a%20b.gguf'],
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/a%20b.gguf'],
  ])('at %s has %s', (address, url) => {
    expect(mirrorSource(address, 'a b.gguf')).toMatchObject({ kind: 'https', url });
  });
  it.each(['models', 'http://models.example.org/', 'file:///models/', 'ftp://models.example.org/'])(
    'is refused at %s',
    (address) => expect(() => mirrorSource(address, 'a.gguf')).toThrow(UserError),
  );
});
