import { describe, expect, it } from 'vitest';
import { parseEnvFile } from './env-file.ts';

const read = (text: string) => ({ ...parseEnvFile(text, '/etc/affiliate.env') });

describe('a file of settings', () => {
  it('is read as systemd and Docker Compose read it', () => {
    const text = `# Settings\r
; of the service

SECRET_KEY=abc#def=ghi
  MAIL_FROM='Affiliates $ "and" <noreply@example.com> # not a comment'
PUBLIC_URL="https://affiliates.example.com"
EMPTY=
`;
    expect(read(text)).toEqual({
      SECRET_KEY: 'abc#def=ghi',
      MAIL_FROM: 'Affiliates $ "and" <noreply@example.com> # not a comment',
      PUBLIC_URL: 'https://affiliates.example.com',
      EMPTY: '',
    });
  });

  it.each([
    'SECRET_KEY=pa$word',
    'SECRET_KEY="pa$word"',
    String.raw`SECRET_KEY=a\b`,
    'PORT=3000 # the port',
    "SECRET_KEY='it's",
    'SECRET_KEY="a',
  ])('is refused with its line if the two read it differently: %s', (line) => {
    expect(() => read(`PORT=1\n${line}`)).toThrow('/etc/affiliate.env, line 2: Write the value in single quotes.');
  });

  it.each(['export PORT=3000', 'PORT 3000', '=1', 'A-B=1'])('is refused if a line is not a setting: %s', (line) => {
    expect(() => read(line)).toThrow('/etc/affiliate.env, line 1: Write NAME=value.');
  });
});
