import { describe, expect, it } from 'vitest';
import { keyUse } from './keyConsent';

const trusted = { trusted: true, allowedOrigins: [] as string[] };
const own = (baseUrl: string) => ({ baseUrl, fromWorkspace: false });
const workspace = (baseUrl: string) => ({ baseUrl, fromWorkspace: true });

describe('keyUse: keys are never settings (i18n-ally #1349)', () => {
  it("gives a key to an address of the person's own settings", () => {
    expect(keyUse(own('https://api.example.com/v1'), trusted)).toBe('give');
    expect(keyUse(own('http://127.0.0.1:8000/v1'), trusted)).toBe('give');
    expect(keyUse(own('http://[::1]:8000/v1'), trusted)).toBe('give');
  });

  it('asks before a key goes where the workspace says', () => {
    expect(keyUse(workspace('https://api.example.com/v1'), trusted)).toEqual({
      ask: expect.stringContaining('settings of this workspace'),
    });
    const allowedOrigins = ['https://api.example.com'];
    expect(keyUse(workspace('https://api.example.com/v1'), { trusted: true, allowedOrigins })).toBe('give');
    // Another port is another server.
    expect(keyUse(workspace('https://api.example.com:8443/v1'), { trusted: true, allowedOrigins })).toEqual({
      ask: expect.any(String),
    });
  });

  it('never gives one to an address of a workspace that is not trusted, whatever was allowed before', () => {
    const allowedOrigins = ['https://api.example.com'];
    expect(keyUse(workspace('https://api.example.com/v1'), { trusted: false, allowedOrigins })).toBe(
      'withhold',
    );
  });

  it('asks before a key goes unencrypted to another machine', () => {
    expect(keyUse(own('http://10.0.0.7:8000/v1'), trusted)).toEqual({
      ask: expect.stringContaining('not encrypted'),
    });
  });
});
