import { expect, test } from 'vitest';
import { unknownType } from './grammar';

test('finds a type that does not exist, at any depth', () => {
  expect(unknownType({ type: 'object', properties: { a: { type: ['string', 'null'] } } })).toBeNull();
  expect(unknownType({ enum: ['yes', 'no'] })).toBeNull();
  expect(unknownType({ type: 'text' })).toBe('text');
  expect(unknownType({ type: 'object', properties: { a: { items: { oneOf: [{ type: 'int' }] } } } })).toBe(
    'int',
  );
});

test('a property may be called type', () => {
  expect(unknownType({ type: 'object', properties: { type: { enum: ['a'] } } })).toBeNull();
});
