// dist/board-view.global.js: `sakmakBoard` for a plain script, with all sets of pieces.
export * from './board-sets.js';
export * from './board-view.js';
