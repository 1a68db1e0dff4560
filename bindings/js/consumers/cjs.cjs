const assert = require('node:assert/strict');
const { Board, START_FEN } = require('sakmak/rules');
const { default: Module } = require('sakmak/ffish');
const { exercises } = require('sakmak/study');

assert.equal(new Board().fen(), START_FEN);
assert.ok(exercises().length > 0);
Module().then((ffish) => {
  assert.equal(new ffish.Board('cambodian').numberLegalMoves(), 25);
  console.log('ok');
});
