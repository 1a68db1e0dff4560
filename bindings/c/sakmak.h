/* Sakmak, a Makruk engine and the rules of Makruk: the C interface. Made by cbindgen; see README.md beside it.
 *
 * Every function may be called from any thread, also for one handle at the same time. Texts are UTF-8 and end with NUL.
 * A function that returns int32_t returns one of the negative SAKMAK_ERROR codes if it fails; sakmak_last_error has the
 * text. A function that fills a buffer returns the length of the text without NUL, as snprintf does: if that is not
 * less than the size of the buffer, the text was cut. */

#ifndef SAKMAK_H
#define SAKMAK_H

#include <stddef.h>
#include <stdint.h>

// Why a call failed.
typedef enum SakmakError {
  // There was no line within the time. The only code without a text.
  SAKMAK_NO_LINE = -1,
  // The handle is 0, was freed, or names something else.
  SAKMAK_ERROR_HANDLE = -2,
  // A pointer that is needed is NULL.
  SAKMAK_ERROR_NULL = -3,
  // A text is not UTF-8.
  SAKMAK_ERROR_UTF8 = -4,
  // There is not enough memory.
  SAKMAK_ERROR_MEMORY = -5,
  // The FEN is wrong.
  SAKMAK_ERROR_FEN = -6,
  // The move is malformed, ambiguous or not legal, or there is no move to take back.
  SAKMAK_ERROR_MOVE = -7,
  // No variant, ruleset or notation has this name or number.
  SAKMAK_ERROR_RULES = -8,
  // The count cannot be started, stopped or claimed here.
  SAKMAK_ERROR_COUNT = -9,
  // The bytes are not a network for this version.
  SAKMAK_ERROR_NETWORK = -10,
  // The engine got `quit`, or was freed meanwhile.
  SAKMAK_ERROR_ENDED = -11,
  // A fault of the library. The handle can still be used and freed.
  SAKMAK_ERROR_PANIC = -12,
} SakmakError;

// How a game stands, see sakmak_game_outcome.
typedef enum SakmakOutcome {
  SAKMAK_ONGOING = 0,
  SAKMAK_WHITE_WINS = 1,
  SAKMAK_BLACK_WINS = 2,
  SAKMAK_STALEMATE = 3,
  // The bare khun was not mated in time.
  SAKMAK_PIECES_HONOUR = 4,
  // No mate in time after the last bia had gone.
  SAKMAK_BOARD_HONOUR = 5,
  // The side that was counting mated, which only draws under some rules.
  SAKMAK_COUNTER_MATED = 6,
  SAKMAK_REPETITION = 7,
  SAKMAK_DEAD_MATERIAL = 8,
  SAKMAK_FIFTY_MOVES = 9,
  // A draw for another reason, which sakmak_game_outcome_text names.
  SAKMAK_OTHER_DRAW = 10,
} SakmakOutcome;

// How moves are written.
typedef enum SakmakNotation {
  // `b1d2`, `e5f6m`.
  SAKMAK_UCI = 0,
  // `Nd2`, `exf6=M`.
  SAKMAK_SAN = 1,
  // Thai letters and digits.
  SAKMAK_THAI_SAN = 2,
} SakmakNotation;

// Names an engine or a game. 0 names nothing.
typedef uint64_t SakmakHandle;

// The count of a position.
typedef struct SakmakCount {
  // 0: nothing is counted, and all other fields are 0; 1: the board's honour; 2: the pieces' honour.
  int32_t honour;
  // The number last spoken, in moves.
  int32_t number;
  // The number at which the game is drawn, in moves.
  int32_t limit;
  // The side that has to mate: 0 is White, 1 Black.
  int32_t attacker;
  // Moves that side has left.
  int32_t moves_left;
} SakmakCount;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, for example "0.1.0". The text is static.
const char *sakmak_version(void);

// Frees an engine or a game. A search is stopped, and a `sakmak_next_line` that waits in another thread returns.
// Freeing a handle twice, or 0, is SAKMAK_ERROR_HANDLE and does nothing.
int32_t sakmak_free(SakmakHandle handle);

// Writes the text of the last error of a handle; empty without one. For handle 0: the last error of a call in this
// thread, also of those that made no handle.
//
// # Safety
// `buffer` is NULL, or has `size` bytes.
int32_t sakmak_last_error(SakmakHandle handle, char *buffer, size_t size);

// A new engine, which searches in threads of its own. Returns 0 if there is no memory.
SakmakHandle sakmak_new(void);

// Executes a line of UCI, or several. A `go` returns before its search ends, whose lines are fetched by
// sakmak_next_line; behind a new size of the transposition table it takes as long as to clear that. After `quit` the
// last lines can still be fetched, and the handle is still to be freed.
//
// # Safety
// `line` is NULL, or ends with NUL.
int32_t sakmak_command(SakmakHandle engine, const char *line);

// Fetches the next line that the engine has written, without its end, and waits for it if there is none yet: at most
// `milliseconds`, or without end if that is negative. Returns SAKMAK_NO_LINE if there was none in that time, and
// SAKMAK_ERROR_ENDED if none will come. A line whose length is not below `size` stays, and can be fetched with a larger
// buffer: a loop has to end there, or it gets the same line for ever.
//
// # Safety
// `buffer` is NULL, or has `size` bytes.
int32_t sakmak_next_line(SakmakHandle engine, char *buffer, size_t size, int32_t milliseconds);

// Evaluates with a network that is in memory, as the option EvalFile does with a file. `name` is what the engine's
// message calls it.
//
// # Safety
// `name` is NULL, or ends with NUL; `bytes` is NULL, or has `length` bytes.
int32_t sakmak_load_network(SakmakHandle engine, const char *name, const uint8_t *bytes, size_t length);

// A game from a FEN, or from the start position if `fen` is NULL. `variant` is "makruk", "cambodian" or "makpong";
// `ruleset` is one of those in docs/rules.md; NULL for the defaults. Returns 0 if one of them is wrong.
//
// # Safety
// Each text is NULL, or ends with NUL.
SakmakHandle sakmak_game_new(const char *fen, const char *variant, const char *ruleset);

// Writes the FEN of the position.
//
// # Safety
// `buffer` is NULL, or has `size` bytes.
int32_t sakmak_game_fen(SakmakHandle game, char *buffer, size_t size);

// The side to move: 0 is White, 1 Black.
int32_t sakmak_game_turn(SakmakHandle game);

// Writes the legal moves in UCI coordinates, with spaces between them.
//
// # Safety
// `buffer` is NULL, or has `size` bytes.
int32_t sakmak_game_moves(SakmakHandle game, char *buffer, size_t size);

// Makes a move given in UCI coordinates, SAN or Thai SAN. Moves after the end of the game are accepted.
//
// # Safety
// `text` is NULL, or ends with NUL.
int32_t sakmak_game_play(SakmakHandle game, const char *text);

// Takes back the last move, and what the players did about the count since.
int32_t sakmak_game_undo(SakmakHandle game);

// Writes a legal move, given in UCI coordinates, SAN or Thai SAN, in a SakmakNotation.
//
// # Safety
// `text` is NULL, or ends with NUL; `buffer` is NULL, or has `size` bytes.
int32_t sakmak_game_move_name(SakmakHandle game, const char *text, int32_t notation, char *buffer, size_t size);

// 1 if the side to move is in check, else 0.
int32_t sakmak_game_in_check(SakmakHandle game);

// The first end of the game, a SakmakOutcome.
int32_t sakmak_game_outcome(SakmakHandle game);

// Writes the first end of the game in words, such as "draw (repetition)"; "ongoing" before it.
//
// # Safety
// `buffer` is NULL, or has `size` bytes.
int32_t sakmak_game_outcome_text(SakmakHandle game, char *buffer, size_t size);

// Fills in the count of the position.
//
// # Safety
// `count` is NULL, or points to a SakmakCount.
int32_t sakmak_game_count(SakmakHandle game, struct SakmakCount *count);

// The side to move starts to count, where the rules let it.
int32_t sakmak_game_start_count(SakmakHandle game);

// The side to move stops its count, where the rules let it.
int32_t sakmak_game_stop_count(SakmakHandle game);

// The side to move claims the draw of a count that has run out, where draws must be claimed.
int32_t sakmak_game_claim_draw(SakmakHandle game);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SAKMAK_H */
