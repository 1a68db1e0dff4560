// Which parts of the page know its stores: views do, what they show gets it as arguments.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const folder = new URL('../../src/ui/', import.meta.url);

/** The parts that may name a store of `app.ts`. */
const OWNERS = [
  'AnalyseView.tsx',
  'App.tsx',
  'LearnView.tsx',
  'NewGame.tsx',
  'OpenDialog.tsx',
  'PlayView.tsx',
  'RulesView.tsx',
  'SetupView.tsx',
  'ShareDialog.tsx',
];

test('only views know the stores of the page', () => {
  const found = readdirSync(folder).filter(
    (name) =>
      /\.tsx?$/.test(name) && /^import (?!type ).* from '\.\.\/app'/m.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  assert.deepEqual(
    found.filter((name) => !OWNERS.includes(name)),
    [],
  );
  // In Learn only the view itself does.
  const [, parts] = readFileSync(new URL('LearnView.tsx', folder), 'utf8').split('/** What is solved');
  assert.doesNotMatch(parts, /\brouter\b|\bfacts\.of\b/);
});
