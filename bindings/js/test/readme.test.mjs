import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const programs = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program]) => program);

test('the programs of README.md run as printed', () => {
  assert.equal(programs.length, 7);
  for (const program of programs) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(status, 0, `${program}\n${stderr}`);
    assert.ok(stdout.length > 20, program);
  }
});
