// `sakmak/board-sets`: the other sets of pieces, for `pieceSet`.
export { latin, thai } from './board-view/pieces/letters.js';
export { plain } from './board-view/pieces/plain.js';
