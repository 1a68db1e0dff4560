/* Plays the moves given as arguments, shows the legal moves and the count, and analyses the position:
 *
 *     cc -I.. analyse.c ../target/release/libsakmak.a -lpthread -ldl -lm -o analyse
 *     ./analyse e3e4 Nd7
 */

#include "sakmak.h"

#include <stdio.h>
#include <string.h>

static int fail(SakmakHandle handle) {
    char text[256];
    sakmak_last_error(handle, text, sizeof text);
    fprintf(stderr, "error: %s\n", text);
    return 1;
}

int main(int argc, char **argv) {
    SakmakHandle game = sakmak_game_new(NULL, "makruk", NULL);
    if (game == 0) {
        return fail(0);
    }
    for (int i = 1; i < argc; i++) {
        if (sakmak_game_play(game, argv[i]) != 0) {
            return fail(game);
        }
    }
    char fen[128], moves[2048], line[4096];
    sakmak_game_fen(game, fen, sizeof fen);
    sakmak_game_moves(game, moves, sizeof moves);
    printf("%s\nlegal moves: %s\n", fen, moves);
    SakmakCount count;
    if (sakmak_game_count(game, &count) == 0 && count.honour != 0) {
        printf("count: %d of %d, %d moves left\n", count.number, count.limit, count.moves_left);
    }
    sakmak_free(game);

    SakmakHandle engine = sakmak_new();
    if (engine == 0) {
        return fail(0);
    }
    snprintf(line, sizeof line, "position fen %s", fen);
    sakmak_command(engine, line);
    sakmak_command(engine, "go depth 10");
    /* Waits for each line; a program with a window asks with a time of 0 instead. */
    int32_t length;
    while ((length = sakmak_next_line(engine, line, sizeof line, -1)) >= 0 && length < (int32_t)sizeof line) {
        puts(line);
        if (strncmp(line, "bestmove", 8) == 0) {
            break;
        }
    }
    return sakmak_free(engine) == 0 ? 0 : fail(0);
}
