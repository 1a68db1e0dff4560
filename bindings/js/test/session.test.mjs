// One session of UCI, tests/data/session.uci, through the native program, the WebAssembly in one slice, and the loop of
// the worker in slices of a few milliseconds: the same lines apart from times. The other front ends:
// engine/tests/all/session.rs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sakmak from 'sakmak/engine';
import * as glue from '../build/engine/sakmak.js';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const COMMANDS = readFileSync(file('../../../tests/data/session.uci'), 'utf8').trimEnd().split('\n');
const target = process.env.CARGO_TARGET_DIR ?? file('../../../target');
const program = process.env.SAKMAK_PROGRAM ?? join(target, 'release', 'sakmak');

/** The line without the numbers that depend on the clock, and without a system's words for a missing file. */
function withoutTimes(line) {
  return line
    .replace(/\b(time|nps) \d+/g, '$1')
    .replace(/ \d+ nps$/, ' nps')
    .replace(/^(info string network \S+) .*keeping.*/, '$1 not loaded')
    .replace(/^(info string network \S+) cannot be read.*/, '$1 not loaded');
}

/** What is left of answers if slices change the nodes of a search. */
function kept(lines) {
  return lines
    .filter((line) => !line.startsWith('info depth '))
    .map((line) => (line.startsWith('bestmove ') ? 'bestmove' : line));
}

/** The last line of the answer to a command that runs in the background. */
function lastLine(command) {
  if (command.startsWith('go perft')) {
    return /^Nodes searched|^info string go perft/;
  }
  if (command === 'eval') {
    return /^Final evaluation/;
  }
  return command.startsWith('go ') ? /^bestmove / : command.startsWith('bench') ? / nps$/ : undefined;
}

/** Sends each command once the one before is done. Gives the answers to each, without times. */
async function converse({ send, addListener }) {
  let lines = [];
  let wake = () => {};
  addListener((line) => {
    lines.push(line);
    wake();
  });
  const until = async (pattern, count = 1) => {
    while (lines.filter((line) => pattern.test(line)).length < count) {
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  };
  const answer = async (command) => {
    lines = [];
    send(command);
    const last = lastLine(command);
    if (last) {
      await until(last);
    }
    // The answer to this one ends the answers to that one.
    send('isready');
    await until(/^readyok$/, command === 'isready' ? 2 : 1);
    return lines.slice(0, lines.lastIndexOf('readyok')).map(withoutTimes);
  };
  // The endings that are solved between searches are solved before, as they are in the Rust test.
  while (!(await answer('d')).some((line) => /^DTM tables: 8 of 8/.test(line))) {
    await answer('isready');
  }
  const answers = [];
  for (const command of COMMANDS) {
    answers.push(await answer(command));
  }
  return answers;
}

/** A program with pipes. */
function startProgram(path, args = []) {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  after(() => child.kill());
  child.stdout.setEncoding('utf8');
  return {
    send: (command) => child.stdin.write(`${command}\n`),
    addListener: (listener) => {
      let rest = '';
      child.stdout.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        lines.forEach(listener);
      });
    },
  };
}

/** The WebAssembly on this thread: each command is finished at once. */
function inOneSlice() {
  glue.initSync({ module: readFileSync(file('../dist/sakmak.wasm')) });
  const session = new glue.UciSession();
  let listener;
  /** Without an end, node by node like a thread. */
  const WHOLE = 2 ** 32 - 1;
  return {
    send: (command) => {
      assert.ok(session.command(command), command);
      while (session.step(WHOLE)) {
        // There is more to do.
      }
      const text = session.take();
      for (const line of text === '' ? [] : text.slice(0, -1).split('\n')) {
        listener(line);
      }
    },
    addListener: (wanted) => {
      listener = wanted;
    },
  };
}

const whole = await converse(inOneSlice());

/** Compares answers command by command. */
function compare(answers, isCut) {
  for (const [at, command] of COMMANDS.entries()) {
    const sides = [answers[at], whole[at]].map((lines) => (isCut ? kept(lines) : lines));
    assert.deepEqual(sides[0], sides[1], command);
  }
}

test('the session has what it should have', () => {
  const lines = whole.flat();
  assert.ok(lines.filter((line) => line.startsWith('bestmove ')).length > 10);
  assert.ok(lines.filter((line) => line.startsWith('info depth ')).length > 40);
  assert.ok(whole[COMMANDS.indexOf('go perft 4')].length > 20);
});

const missing = existsSync(program) ? false : `there is no ${program}`;
test('the native program answers like the WebAssembly, in searches too', { skip: missing }, async () => {
  compare(await converse(startProgram(program)), false);
});

test('the loop of the worker answers the same, but for lines of searches cut into slices', async () => {
  const engine = await Sakmak();
  const send = (command) => engine.postMessage(command);
  compare(await converse({ send, addListener: (listener) => engine.addMessageListener(listener) }), true);
  engine.terminate();
});
