import { describe, expect, it } from 'vitest';
import { areAlike, keysOf, wordsOf } from './names.ts';

const isHit = (one: string, other: string) => areAlike(wordsOf(one), wordsOf(other));

describe('two names', () => {
  it.each([
    ['Vladimir Putin', 'PUTIN, Vladimir Vladimirovich'],
    ['Putin Vladimir', 'Vladimir PUTIN'],
    ['V. Putin', 'Vladimir Vladimirovich PUTIN'],
    ['Владимир Путин', 'PUTIN, Vladimir'],
    ['Ayman az-Zawahiri', 'Aiman Muhammed Rabi al-Zawahiri'],
    ['Mohammed Hassan Akhund', 'MOHAMMAD HASSAN AKHUND'],
    ['Muhamad Zaydan', 'ZAYDAN, Muhammad'],
    ['Jürgen Größmann', 'GROESSMANN, Juergen'],
    ['Jose Garcia Lopez', 'GARCÍA LÓPEZ, José'],
    ['Abdul Rahman Yasin', 'ABDULRAHMAN YASIN'],
    ['Vladimir\u200b P\u00adutin', 'Vladimir Putin'],
    ['\u202eVladimir\u202c Putin', 'Vladimir Putin'],
    ['Ｖｌａｄｉｍｉｒ Ｐｕｔｉｎ', 'Vladimir Putin'],
    ['Vladimri Putin', 'Vladimir Putin'],
    ['Vladimir\tPutin\u0000', 'Vladimir Putin'],
    ['V l a d i m i r P u t i n', 'Vladimir Putin'],
    ["O'Brien Seamus", 'Seamus OBrien'],
    ['Vladimir Some Other Words Before Putin', 'Vladimir Putin'],
    ['Hizballah', 'HIZBALLAH'],
    ['Acme Shipping LLC', 'ACME SHIPPING COMPANY'],
    ['أيمن الظواهري', 'أيمن الظواهري'],
    ['习近平', '习近平'],
  ])('%j is like %j, and found by a key', (one, other) => {
    expect(isHit(one, other)).toBe(true);
    expect(isHit(other, one)).toBe(true);
    expect(keysOf(one).some((key) => keysOf(other).includes(key))).toBe(true);
  });

  it.each([
    ['Ada Lovelace', 'PUTIN, Vladimir'],
    ['Vladimir Horowitz', 'Vladimir Putin'],
    ['Anna Schmidt', 'Hanna Schmitz'],
    ['Musa', 'Musa Ibrahim Karim'],
    ['V. P.', 'Vladimir Putin'],
    ['Ali Khan', 'Eli Kohn'],
    ['', 'Vladimir Putin'],
    ['---', 'Vladimir Putin'],
  ])('%j is not like %j', (one, other) => {
    expect(isHit(one, other)).toBe(false);
    expect(isHit(other, one)).toBe(false);
  });

  it('are compared in little time, however long they are', () => {
    const long = 'a b '.repeat(25_000);
    const start = performance.now();
    expect(isHit(long, 'Vladimir Putin')).toBe(false);
    expect(keysOf(long).length).toBe(1);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
