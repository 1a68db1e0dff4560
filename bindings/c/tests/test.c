/* Tests of the C interface. `check` runs them plain and under the address sanitizer. */

#include "sakmak.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static void check(int holds, const char *what, int line) {
    if (holds) {
        passed++;
    } else {
        failed++;
        fprintf(stderr, "test.c:%d: not so: %s\n", line, what);
    }
}
#define CHECK(condition) check((condition), #condition, __LINE__)

static char text[4096];

static int error_contains(SakmakHandle handle, const char *part) {
    sakmak_last_error(handle, text, sizeof text);
    return strstr(text, part) != NULL;
}

static void game(void) {
    CHECK(strcmp(sakmak_version(), "0.1.0") == 0);
    SakmakHandle game = sakmak_game_new(NULL, NULL, NULL);
    CHECK(game != 0);
    const char *start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    CHECK(sakmak_game_fen(game, text, sizeof text) == (int32_t)strlen(start) && strcmp(text, start) == 0);
    /* A small buffer: the length of the whole text, and as much of it as fits. */
    char small[5];
    CHECK(sakmak_game_fen(game, small, sizeof small) == (int32_t)strlen(start) && strcmp(small, "rnsm") == 0);
    CHECK(sakmak_game_fen(game, small, 0) == (int32_t)strlen(start));
    CHECK(sakmak_game_fen(game, NULL, 100) == (int32_t)strlen(start));

    CHECK(sakmak_game_moves(game, text, sizeof text) == 23 * 5 - 1 && strstr(text, "e3e4") != NULL);
    CHECK(sakmak_game_turn(game) == 0 && sakmak_game_in_check(game) == 0);
    CHECK(sakmak_game_move_name(game, "b1d2", SAKMAK_SAN, text, sizeof text) == 3 && strcmp(text, "Nd2") == 0);
    CHECK(sakmak_game_move_name(game, "Nd2", SAKMAK_UCI, text, sizeof text) == 4 && strcmp(text, "b1d2") == 0);
    CHECK(sakmak_game_move_name(game, "b1d2", SAKMAK_THAI_SAN, text, sizeof text) > 0);
    CHECK(sakmak_game_play(game, text) == 0 && sakmak_game_undo(game) == 0);
    /* Thai letters are not cut in two. */
    char thai[3];
    CHECK(sakmak_game_move_name(game, "b1d2", SAKMAK_THAI_SAN, thai, sizeof thai) > 2 && thai[0] == 0);
    CHECK(sakmak_game_move_name(game, "b1d2", 7, text, sizeof text) == SAKMAK_ERROR_RULES);
    for (int i = 0; i < 2; i++) {
        CHECK(sakmak_game_play(game, "b1d2") == 0 && sakmak_game_turn(game) == 1);
        CHECK(sakmak_game_play(game, "Nd7") == 0 && sakmak_game_play(game, "Nb1") == 0);
        CHECK(sakmak_game_play(game, "d7b8") == 0);
    }
    CHECK(sakmak_game_outcome(game) == SAKMAK_REPETITION);
    CHECK(sakmak_game_outcome_text(game, text, sizeof text) > 0 && strcmp(text, "draw (repetition)") == 0);
    CHECK(sakmak_game_undo(game) == 0 && sakmak_game_outcome(game) == SAKMAK_ONGOING);
    CHECK(sakmak_game_play(game, "e3e5") == SAKMAK_ERROR_MOVE && error_contains(game, "'e3e5' is not legal here"));
    CHECK(sakmak_game_start_count(game) == SAKMAK_ERROR_COUNT && error_contains(game, "nothing to count"));
    CHECK(sakmak_game_stop_count(game) == SAKMAK_ERROR_COUNT && sakmak_game_claim_draw(game) == SAKMAK_ERROR_COUNT);
    SakmakCount count;
    CHECK(sakmak_game_count(game, &count) == 0 && count.honour == 0 && count.limit == 0);
    CHECK(sakmak_free(game) == 0);

    game = sakmak_game_new("8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80", "makruk", "fairy-stockfish");
    CHECK(sakmak_game_count(game, &count) == 0);
    CHECK(count.honour == 2 && count.number == 5 && count.limit == 16 && count.attacker == 0);
    CHECK(count.moves_left == 12);
    CHECK(sakmak_game_undo(game) == SAKMAK_ERROR_MOVE);
    CHECK(sakmak_free(game) == 0);
    game = sakmak_game_new("7k/8/6K1/8/8/8/8/R7 w - - 0 1", NULL, NULL);
    CHECK(sakmak_game_play(game, "Ra8") == 0 && sakmak_game_in_check(game) == 1);
    CHECK(sakmak_game_outcome(game) == SAKMAK_WHITE_WINS);
    CHECK(sakmak_game_moves(game, text, sizeof text) == 0 && text[0] == 0);
    CHECK(sakmak_free(game) == 0);
    game = sakmak_game_new(NULL, "cambodian", NULL);
    CHECK(sakmak_game_play(game, "d1b2") == 0);
    CHECK(sakmak_free(game) == 0);
}

static void misuse(void) {
    CHECK(sakmak_game_new("8/8 nonsense", NULL, NULL) == 0 && error_contains(0, "8 ranks"));
    CHECK(sakmak_game_new(NULL, "chess", NULL) == 0 && error_contains(0, "'chess' is not one of makruk"));
    CHECK(sakmak_game_new(NULL, NULL, "mine") == 0 && error_contains(0, "'mine' is not one of fairy-stockfish"));
    CHECK(sakmak_game_new("\xff", NULL, NULL) == 0 && error_contains(0, "utf-8"));
    SakmakHandle game = sakmak_game_new(NULL, NULL, NULL);
    CHECK(sakmak_game_play(game, NULL) == SAKMAK_ERROR_NULL && error_contains(game, "the move is NULL"));
    CHECK(sakmak_game_play(game, "\xff\xfe") == SAKMAK_ERROR_UTF8);
    CHECK(sakmak_game_play(game, "") == SAKMAK_ERROR_MOVE);
    CHECK(sakmak_game_count(game, NULL) == SAKMAK_ERROR_NULL);
    CHECK(sakmak_last_error(game, NULL, 0) > 0);
    CHECK(sakmak_command(game, "uci") == SAKMAK_ERROR_HANDLE && error_contains(0, "is no engine"));
    CHECK(sakmak_next_line(game, text, sizeof text, 0) == SAKMAK_ERROR_HANDLE);
    CHECK(sakmak_free(game) == 0 && sakmak_free(game) == SAKMAK_ERROR_HANDLE && sakmak_free(0) == SAKMAK_ERROR_HANDLE);
    CHECK(sakmak_game_turn(game) == SAKMAK_ERROR_HANDLE && sakmak_game_play(game, "e3e4") == SAKMAK_ERROR_HANDLE);
    CHECK(sakmak_game_turn(UINT64_MAX) == SAKMAK_ERROR_HANDLE);
    CHECK(sakmak_last_error(game, text, sizeof text) == 0);

    SakmakHandle engine = sakmak_new();
    CHECK(sakmak_game_fen(engine, text, sizeof text) == SAKMAK_ERROR_HANDLE);
    CHECK(sakmak_command(engine, NULL) == SAKMAK_ERROR_NULL);
    CHECK(sakmak_next_line(engine, NULL, 100, 0) == SAKMAK_NO_LINE);
    CHECK(sakmak_load_network(engine, "none", NULL, 5) == SAKMAK_ERROR_NULL);
    CHECK(sakmak_load_network(engine, "none", (const uint8_t *)"12345", 5) == SAKMAK_ERROR_NETWORK);
    CHECK(sakmak_next_line(engine, text, sizeof text, -1) > 0 && strstr(text, "network none not loaded") != NULL);
    CHECK(sakmak_free(engine) == 0 && sakmak_free(engine) == SAKMAK_ERROR_HANDLE);
}

/* Reads lines until one begins with `start`; 0 if the engine ends before. */
static int read_until(SakmakHandle engine, const char *start) {
    while (sakmak_next_line(engine, text, sizeof text, -1) >= 0) {
        if (strncmp(text, start, strlen(start)) == 0) {
            return 1;
        }
    }
    return 0;
}

static void engine(void) {
    SakmakHandle engine = sakmak_new();
    CHECK(engine != 0);
    CHECK(sakmak_command(engine, "isready") == 0);
    /* A line that does not fit stays. */
    char small[4];
    CHECK(sakmak_next_line(engine, small, sizeof small, -1) == 7 && strcmp(small, "rea") == 0);
    CHECK(sakmak_next_line(engine, NULL, 100, 0) == 7);
    CHECK(sakmak_next_line(engine, text, sizeof text, 0) == 7 && strcmp(text, "readyok") == 0);
    CHECK(sakmak_next_line(engine, text, sizeof text, 0) == SAKMAK_NO_LINE);
    CHECK(sakmak_command(engine, "position startpos moves e3e4\nd\n") == 0);
    CHECK(read_until(engine, "Fen: rnsmksnr/8/pppppppp/8/4P3/"));
    CHECK(sakmak_command(engine, "go depth 5") == 0 && read_until(engine, "bestmove "));
    CHECK(sakmak_command(engine, "go infinite") == 0 && read_until(engine, "info depth 4 "));
    CHECK(sakmak_command(engine, "stop") == 0 && read_until(engine, "bestmove "));
    CHECK(sakmak_command(engine, "nonsense") == 0 && read_until(engine, "info string unknown command 'nonsense'"));
    CHECK(sakmak_command(engine, "go infinite") == 0 && sakmak_command(engine, "quit") == 0);
    CHECK(sakmak_command(engine, "isready") == SAKMAK_ERROR_ENDED);
    CHECK(read_until(engine, "bestmove "));
    CHECK(sakmak_next_line(engine, text, sizeof text, -1) == SAKMAK_ERROR_ENDED);
    CHECK(sakmak_free(engine) == 0);
}

/* One engine and one game, used and freed by several threads at once. */
enum { THREADS = 4, ROUNDS = 50 };

struct shared {
    SakmakHandle engine, game;
    int frees;
    pthread_mutex_t mutex;
};

static void *reader(void *argument) {
    struct shared *shared = argument;
    char line[1024];
    int32_t length;
    do {
        length = sakmak_next_line(shared->engine, line, sizeof line, -1);
    } while (length >= 0);
    return length == SAKMAK_ERROR_ENDED || length == SAKMAK_ERROR_HANDLE ? NULL : argument;
}

static void *writer(void *argument) {
    struct shared *shared = argument;
    char line[256];
    int has_failed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        has_failed |= sakmak_command(shared->engine, i % 2 ? "go infinite" : "stop") != 0;
        has_failed |= sakmak_command(shared->engine, "setoption name MultiPV value 2") != 0;
        sakmak_game_play(shared->game, "e3e4");
        has_failed |= sakmak_game_fen(shared->game, line, sizeof line) < 0;
        sakmak_game_undo(shared->game);
        sakmak_last_error(shared->game, line, sizeof line);
    }
    return has_failed ? argument : NULL;
}

static void *freer(void *argument) {
    struct shared *shared = argument;
    int freed = (sakmak_free(shared->engine) == 0) + (sakmak_free(shared->game) == 0);
    pthread_mutex_lock(&shared->mutex);
    shared->frees += freed;
    pthread_mutex_unlock(&shared->mutex);
    return NULL;
}

static int all(void *(*work)(void *), struct shared *shared, pthread_t *threads) {
    int started = 0;
    for (int i = 0; i < THREADS; i++) {
        started += pthread_create(&threads[i], NULL, work, shared) == 0;
    }
    return started == THREADS;
}

static int joined(pthread_t *threads) {
    int good = 0;
    for (int i = 0; i < THREADS; i++) {
        void *result = threads;
        good += pthread_join(threads[i], &result) == 0 && result == NULL;
    }
    return good == THREADS;
}

static void threads(void) {
    struct shared shared = {sakmak_new(), sakmak_game_new(NULL, NULL, NULL), 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t readers[THREADS], writers[THREADS], freers[THREADS];
    CHECK(all(reader, &shared, readers) && all(writer, &shared, writers));
    CHECK(joined(writers));
    CHECK(all(freer, &shared, freers) && joined(freers));
    CHECK(joined(readers));
    CHECK(shared.frees == 2);
    /* Freed while it is used. */
    shared.engine = sakmak_new();
    shared.game = sakmak_game_new(NULL, NULL, NULL);
    CHECK(all(reader, &shared, readers) && all(writer, &shared, writers) && all(freer, &shared, freers));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(writers[i], NULL);
    }
    CHECK(joined(freers) && joined(readers) && shared.frees == 4);
    CHECK(sakmak_command(shared.engine, "uci") == SAKMAK_ERROR_HANDLE);
}

int main(void) {
    game();
    misuse();
    engine();
    threads();
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
