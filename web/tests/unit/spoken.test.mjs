// What a screen reader says once a board shows another position.
import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../source.mjs';

const [{ announcement }, { Session }, rules] = await load(
  'src/ui/spoken.ts',
  'src/state/session.ts',
  'src/rules/rules.ts',
);
await rules.loadRules();

const RULES = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };

/** A board that goes through a game: what is said of each place. */
function board() {
  const session = Session.start(RULES);
  let place = null;
  const said = () => {
    const text = announcement(session, place);
    place = { session, node: session.node };
    return text;
  };
  return { session, said };
}

test('a move that is made is said, and so is a step to it; a step back says which position it is', () => {
  const { session, said } = board();
  assert.equal(said(), '');
  session.play('e3e4');
  assert.equal(said(), 'White: e4');
  session.play('d6d5');
  assert.equal(said(), 'Black: d5');
  session.play('e4d5');
  assert.equal(said(), 'White: e takes d5');
  session.step(-1);
  assert.equal(said(), 'Position after Black: d5');
  session.step(1);
  assert.equal(said(), 'White: e takes d5');
  session.step(-1_000_000);
  assert.equal(said(), 'First position');
  session.step(1_000_000);
  assert.equal(said(), 'Position after White: e takes d5');
  session.takeBack();
  assert.equal(said(), 'Position after Black: d5');
});

test('a move and its reply that come together are both said', () => {
  const { session, said } = board();
  said();
  session.play('e3e4');
  session.play('d6d5');
  assert.equal(said(), 'White: e4. Black: d5');
});

test('another game on the board says its position, also in a variation', () => {
  const { session, said } = board();
  session.play('e3e4');
  assert.equal(said(), 'Position after White: e4');
  session.step(-1);
  said();
  session.play('d3d4');
  assert.equal(said(), 'White: d4');
  session.go(1);
  assert.equal(said(), 'Position after White: e4');
});
