// Content security policies: those that README.md states are enough, and each of their sources is needed. The server
// sends the policy with all files, also with the worker's script.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { loadScript } from './engine.mjs';

const CDN = 'https://cdn.test';

/** The policies of README.md, by the first column of their table. */
function stated() {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| (.+?) +\| `(script-src .*?)` +\|$/gm)];
  return rows.map(([, name, policy]) => [name, policy]);
}

/** In the page: gives a move of the engine. */
async function useEngine([dist, hasFetched]) {
  const locateFile = (file) => `${dist}/${file}`;
  const wasmBinary = hasFetched ? await (await fetch(locateFile('sakmak.wasm'))).arrayBuffer() : undefined;
  const engine = await globalThis.Sakmak({ locateFile, wasmBinary });
  const move = await engine.play('startpos', { depth: 2 });
  engine.terminate();
  return move;
}

/** In the page: gives the number of moves of a board. */
async function useRules() {
  await globalThis.sakmak.init();
  return new globalThis.sakmak.Board().legalMoveCount();
}

/** What does not work under a policy: an error's text, or `undefined`. */
async function fault(page, server, policy, dist, hasFetched) {
  server.policy = `default-src 'none'; ${policy}`;
  try {
    await page.goto(`${server.origin}/blank.html`);
    await page.evaluate(loadScript, `${dist}/sakmak.js`);
    assert.match(await page.evaluate(useEngine, [dist, hasFetched]), /^[a-h]/);
    await page.evaluate(loadScript, `${dist}/rules.global.js`);
    assert.equal(await page.evaluate(useRules), 23);
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    server.policy = undefined;
  }
}

/** The policy without each of its sources. */
function weaker(policy) {
  const directives = policy.split('; ').map((directive) => directive.split(' '));
  const without = (at, word) => directives.map((words, index) => words.filter((_, w) => index !== at || w !== word));
  const texts = directives.flatMap((words, at) => words.slice(1).map((_, word) => without(at, word + 1)));
  return texts.map((text) => text.map((words) => words.join(' ')).join('; '));
}

export async function checkPolicies(page, server, other) {
  const policies = stated();
  assert.equal(policies.length, 3, 'README.md states three policies');
  for (const [name, text] of policies) {
    const policy = text.replaceAll(CDN, other);
    const dist = `${text.includes(CDN) ? other : server.origin}/node_modules/sakmak/dist`;
    const hasFetched = name.includes('wasmBinary');
    assert.equal(await fault(page, server, policy, dist, hasFetched), undefined, `${name}: ${policy}`);
    for (const less of weaker(policy)) {
      assert.ok(await fault(page, server, less, dist, hasFetched), `${name}: ${less} is enough`);
    }
    console.log(`used: ${name}: ${policy}`);
  }
}
