import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPages } from '@affiliate/web/built-pages';
import { expect, it } from 'vitest';
import { usePages } from './service.ts';
import { Visitor } from './visitor.ts';

const { service, browser } = usePages();

it('every page has its texts in German when it is opened by its address', async () => {
  const { ownerEmail: email, ownerPassword: password } = await service.createAccount();
  const paths = JSON.parse(readFileSync(join(await builtPages(), 'pages.json'), 'utf8')) as string[];
  await using owner = await Visitor.arrive(browser, service.url, { locale: 'de-DE' });
  await owner.enter('/settings/profile', { email, password });
  await owner.heading('Profil');
  for (const path of paths.filter((pattern) => !pattern.includes(':'))) {
    await owner.open(path);
    await owner.page.getByRole('heading', { level: 1 }).waitFor();
    // A page whose code was loaded before its texts reports an error.
    expect(owner.errors).toEqual([]);
  }
  // Dialogs and menus.
  await owner.open('/affiliates');
  await owner.button('Ansicht').click();
  await owner.page.getByText('Spalten').waitFor();
  await owner.page.keyboard.press('Escape');
  await owner.button('Partner hinzufügen').first().click();
  await owner.page.getByRole('dialog', { name: 'Partner hinzufügen' }).waitFor();
  expect(await owner.faults({ isCheckedElsewhere: true })).toEqual([]);
});
